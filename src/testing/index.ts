/** Published as `holdpoint/testing`: event builders, frozen facts, and the suites every family member must pass. */
export { type HandlerCases, handlerContract } from '../handlers/handler.contract.ts'
export { type HostCases, hostContract, type Obeyed } from '../hosts/host.contract.ts'
export { guardContract } from '../packs/guard.contract.ts'
export { sourceContract } from '../sources/source.contract.ts'
export { stateContract } from '../state/state.contract.ts'
export { storeContract } from '../stores/store.contract.ts'
export { actorOf, bash, eventOf, frozenFacts, toolCall } from './events.ts'
export { type CallableHook, engineOf, hookOf, onFailureOf, planOf } from './hooks.ts'
