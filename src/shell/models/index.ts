import { archives } from './archives.ts'
import { clouds } from './clouds.ts'
import { containers } from './containers.ts'
import { disks } from './disks.ts'
import { editors } from './editors.ts'
import { git } from './git.ts'
import { github } from './github.ts'
import { infrastructure } from './infrastructure.ts'
import { interpreters } from './interpreters.ts'
import { kernel } from './kernel.ts'
import { keyValue } from './key-value.ts'
import { kubernetes } from './kubernetes.ts'
import { mercurialSvn } from './mercurial-svn.ts'
import { migrations } from './migrations.ts'
import type { Model } from './model.ts'
import { network } from './network.ts'
import { otherLanguages } from './other-languages.ts'
import { packages } from './packages.ts'
import { scheduling } from './scheduling.ts'
import { services } from './services.ts'
import { sql } from './sql.ts'
import { users } from './users.ts'

/** Every model. A program belongs to one. */
export const MODELS: readonly Model[] = [
  editors,
  disks,
  archives,
  git,
  network,
  services,
  clouds,
  containers,
  github,
  infrastructure,
  interpreters,
  kernel,
  keyValue,
  kubernetes,
  migrations,
  mercurialSvn,
  otherLanguages,
  packages,
  scheduling,
  sql,
  users,
]

export const MODEL_OF: ReadonlyMap<string, Model> = new Map(
  MODELS.flatMap((model) => model.programs.map((program) => [program, model] as const)),
)
