/**
 * Published as `holdpoint/testing/contracts`: the test suites that every member of a family must pass. Needs
 * vitest and fast-check.
 */

export { sourceContract } from '../../config/sources/source.contract.ts'
export { type HandlerCases, handlerContract } from '../../handlers/handler.contract.ts'
export { type HostCases, hostContract, type Obeyed } from '../../hosts/host.contract.ts'
export { guardContract } from '../../policy/packs/guard.contract.ts'
export { packContract } from '../../policy/packs/pack.contract.ts'
export { storeContract } from '../../storage/journal/store.contract.ts'
export { stateContract } from '../../storage/state/state.contract.ts'
