import type { EventExample, Example, Guard, Mode } from '../../core/guard.ts'

/** The page of a guard, generated from the guard's own texts: docs/guards/<id>.md. */
export function guardPage(guard: Guard): string {
  const modes = Object.entries(guard.modes).map(([level, mode]) => `| ${level} | ${mode} |`)
  return [
    `# ${guard.id}`,
    `**${guard.title}.** ${guard.why}`,
    `Instead: ${guard.instead}`,
    ['| level | mode |', '|---|---|', ...modes].join('\n'),
    `Checked at ${guard.on.join(', ')}${tools(guard.match)}${guard.skill === undefined ? '' : `, while the skill \`${guard.skill}\` is active`}. To change its mode, edit your user file, \`~/.config/holdpoint/config.yaml\`. If several files set a mode, the strictest one applies.`,
    [
      '```yaml',
      'packs:',
      `  ${packOf(guard)}: { guards: { ${guard.id}: ${OTHER_MODE[guard.modes.standard]} } } # deny, ask, warn or off`,
      '```',
    ].join('\n'),
    '## Stops',
    guard.examples.stops.length === 0 ? STOPS_NOTHING : list(guard.examples.stops),
    '## Does not stop',
    list(guard.examples.passes),
    '',
  ].join('\n\n')
}

const STOPS_NOTHING = 'Nothing. This guard only adds text, writes files or answers a permission prompt.'

/** The mode that people most likely want instead of the usual one. */
export const OTHER_MODE: Readonly<Record<Mode, Mode>> = { deny: 'ask', ask: 'deny', warn: 'off', off: 'ask' }

function tools(match: string): string {
  if (match === '') return ''
  return ` for ${match === '*' ? 'every tool' : match.split('|').join(', ')}`
}

function packOf(guard: Guard): string {
  return guard.id.split('/')[0] ?? guard.id
}

function list(examples: readonly Example[]): string {
  return ['```text', ...examples.map(exampleText), '```'].join('\n')
}

/** An example as its page shows it, with everything its answer depends on. */
export function exampleText(example: Example): string {
  if (typeof example === 'string') return example
  if ('tool' in example) return `${example.tool} ${JSON.stringify(example.input)}`
  const files = Object.entries(example.files ?? {}).map(
    ([path, text]) => `, file ${path} ${JSON.stringify(text)}`,
  )
  return `${example.kind} ${JSON.stringify(example.fields)}${files.join('')}${circumstances(example)}`
}

/** Everything else the answer depends on. Without it, the same event would stand under both headings. */
function circumstances({ options, memory, agents, ran = [] }: EventExample): string {
  const commands = ran.map(([command, outcome]) => `, \`${command}\` ${outcome.kind}`)
  return [
    isEmpty(options) ? '' : `, options ${JSON.stringify(options)}`,
    isEmpty(memory) ? '' : `, remembered ${JSON.stringify(memory)}`,
    agents === undefined ? '' : `, agents ${JSON.stringify(agents)}`,
    ...commands,
  ].join('')
}

function isEmpty(object: object | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0
}
