/** Published as `holdpoint/sdk/ai`: tools of the AI SDK behind the hooks of a runtime. */
export type { Ask, Question } from '../question.ts'
export { type Courier, createCourier } from './courier.ts'
export { isDenied } from './denied.ts'
export { type GuardToolsOptions, guardTools } from './guard-tools.ts'
