declare const brand: unique symbol;

/** A `T` that cannot be mistaken for another `T`: `Brand<string, 'ServerId'>` is not assignable from `string`. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
