/** Published as `holdpoint/testing`: event builders, frozen facts and hooks that are functions. Needs no test runner. */
export { actorOf, bash, eventOf, frozenFacts, toolCall } from './events.ts'
export { type CallableHook, engineOf, hookOf, onFailureOf, planOf } from './hooks.ts'
