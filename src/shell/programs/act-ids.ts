/**
 * Every act that a specification names, from the files in which the families define theirs: a guard, a test or a program
 * that names another one does not compile.
 */
export type ActId =
  | ActsOf<typeof import('./archives/acts.ts')>
  | ActsOf<typeof import('./clouds/acts.ts')>
  | ActsOf<typeof import('./clouds/infrastructure-acts.ts')>
  | ActsOf<typeof import('./containers/acts.ts')>
  | ActsOf<typeof import('./databases/acts.ts')>
  | ActsOf<typeof import('./files/acts.ts')>
  | ActsOf<typeof import('./git/acts.ts')>
  | ActsOf<typeof import('./git/host-acts.ts')>
  | ActsOf<typeof import('./network/acts.ts')>
  | ActsOf<typeof import('./packages/acts.ts')>
  | ActsOf<typeof import('./permissions/acts.ts')>
  | ActsOf<typeof import('./secrets/acts.ts')>
  | ActsOf<typeof import('./system/acts.ts')>
  | ActsOf<typeof import('./system/disk-acts.ts')>
  | ActsOf<typeof import('./windows/acts.ts')>

type ActsOf<Module> = {
  [Name in keyof Module]: Module[Name] extends { readonly act: infer Id extends string } ? Id : never
}[keyof Module]
