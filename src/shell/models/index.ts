import { clouds } from './clouds.ts'
import { containers } from './containers.ts'
import { infrastructure } from './infrastructure.ts'
import { keyValue } from './key-value.ts'
import { kubernetes } from './kubernetes.ts'
import { migrations } from './migrations.ts'
import type { Model } from './model.ts'
import { packages } from './packages.ts'
import { sql } from './sql.ts'

/** Every model. A program belongs to one. */
export const MODELS: readonly Model[] = [
  clouds,
  containers,
  infrastructure,
  keyValue,
  kubernetes,
  migrations,
  packages,
  sql,
]

export const MODEL_OF: ReadonlyMap<string, Model> = new Map(
  MODELS.flatMap((model) => model.programs.map((program) => [program, model] as const)),
)
