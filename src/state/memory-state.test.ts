import { createMemoryState } from './memory-state.ts'
import { stateContract } from './state.contract.ts'

stateContract({ name: 'memory', open: createMemoryState })
