import { CONTRACT_TOKEN, sinkContract } from '../sink/sink.contract.ts'
import { createMemorySink } from './sink.ts'

let made: ReturnType<typeof createMemorySink> | undefined
sinkContract({
  name: 'memory',
  async open() {
    made = createMemorySink({ tokens: [CONTRACT_TOKEN], now: () => new Date() })
    return made
  },
  revoke: async (_sink, machine) => made?.revoke(machine),
})
