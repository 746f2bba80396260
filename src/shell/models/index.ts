import type { Model } from './model.ts'
import { services } from './services.ts'

/** Every model. A program belongs to one. */
export const MODELS: readonly Model[] = [services]

export const MODEL_OF: ReadonlyMap<string, Model> = new Map(
  MODELS.flatMap((model) => model.programs.map((program) => [program, model] as const)),
)
