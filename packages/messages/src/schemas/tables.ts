import type * as z from "zod";

/** A schema for each type of a table. */
export type SchemaMap<Types> = { readonly [Key in keyof Types]: z.ZodType<Types[Key]> };

/** A schema for each kind of a union, by the value of the field that tells them apart. */
export type SchemasByKind<Union extends { readonly [K in Key]: string }, Key extends string> = {
  readonly [Kind in Union[Key]]: z.ZodType<Extract<Union, { readonly [K in Key]: Kind }>>;
};

/** Schemas for requests and their responses, by subtype. */
export type RequestSchemas<Requests> = { readonly [Subtype in keyof Requests]: SchemaMap<Requests[Subtype]> };
