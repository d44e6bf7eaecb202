// `vscode` resolves here for every folder that must not know of it, so that an import of it has no members to use.
export type ThisFolderMustNotImportVscode = never;
