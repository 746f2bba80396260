import { expect, it } from 'vitest'
import { processCaller } from './caller.ts'
import { HELP_COMMANDS, helpText } from './help.ts'
import { buildProgram } from './main.ts'

it('the help names every command once, except hidden ones', () => {
  const program = buildProgram(processCaller())
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name())
    .filter((name) => name !== 'help')
  expect([...HELP_COMMANDS].sort()).toEqual([...commands].sort())
})

it.each([
  [80, 24],
  [60, 48],
])('the help fits a screen of %i columns and %i lines', (columns, rows) => {
  const lines = helpText(columns).split('\n')
  expect(lines.length).toBeLessThanOrEqual(rows)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns === 60 ? 76 : columns)
})
