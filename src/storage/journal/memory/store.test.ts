import { storeContract } from '../store.contract.ts'
import { createMemoryStore } from './store.ts'

storeContract({ name: 'memory', open: createMemoryStore })
