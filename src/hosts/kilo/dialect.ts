import { openCodeDialect } from '../opencode-family.ts'

export const KILO = openCodeDialect('kilo', 'Kilo', {
  task: {
    name: 'Agent',
    background: { option: 'background: true', isOn: (input) => input.background === true },
  },
})
