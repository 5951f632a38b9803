// The build puts their content in.
declare module "*.txt" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler exports it.
  export default text;
}
