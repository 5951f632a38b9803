import type * as z from "zod";

/**
 * What the output of a schema has to be for the schema to stand for `Type`: `unknown` where the two agree, a type that says what
 * differs where not.
 */
export type Agreement<Output, Type> =
  Same<Plain<Output>, Plain<Type>> extends true
    ? unknown
    : { readonly "the schema and the type differ": { readonly schema: Plain<Output>; readonly type: Plain<Type> } };

/** Fields of an object schema that stands for `Type`, so that other object schemas can take them over. */
export type Shape<Type> = { readonly [Key in keyof Type]-?: Field<Type, Key> };

type Field<Type, Key extends keyof Type> =
  Record<never, never> extends Pick<Type, Key>
    ? { readonly [K in Key]: undefined } extends Pick<Type, Key>
      ? z.ZodOptional<z.ZodType<Type[Key]>>
      : z.ZodExactOptional<z.ZodType<Exclude<Type[Key], undefined>>>
    : z.ZodType<Type[Key]>;

// Two types are the same when the compiler takes the one for the other in a place where it has to be sure.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// `readonly`, and the index signature by which a loose object keeps unknown fields, say nothing about the wire.
type Plain<Type> = Type extends (...parameters: never) => unknown
  ? Type
  : Type extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Type extends object
      ? { -readonly [Key in keyof Type as Declared<Type, Key>]: Plain<Type[Key]> }
      : Type;

type Declared<Type, Key extends keyof Type> = string extends Key ? (unknown extends Type[Key] ? never : Key) : Key;
