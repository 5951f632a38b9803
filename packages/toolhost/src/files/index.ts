// The public surface of @reins/toolhost/files, by name: what needs a file system, which the root entry does not.
export { imageFile } from "./image-file.ts";
