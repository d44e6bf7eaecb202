// The package has no types of its own, and those of DefinitelyTyped describe version 4.
declare module 'write-file-atomic' {
  function writeFileAtomic(file: string, data: Uint8Array): Promise<void>;
  // It is all that the package has.
  export = writeFileAtomic;
}
