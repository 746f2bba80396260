import { CONTRACT_TOKEN, sinkContract } from '../sink/sink.contract.ts'
import { createMemorySink } from './sink.ts'

sinkContract({
  name: 'memory',
  open: async () => createMemorySink({ tokens: { [CONTRACT_TOKEN]: 'push' }, now: () => new Date() }),
})
