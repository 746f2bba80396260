import type { EventExample, Example, Guard } from '../../core/guard.ts'

/** The page of a guard, generated from the guard's own texts: docs/guards/<id>.md. */
export function guardPage(guard: Guard): string {
  const modes = Object.entries(guard.modes).map(([level, mode]) => `| ${level} | ${mode} |`)
  return [
    `# ${guard.id}`,
    `**${guard.title}.** ${guard.why}`,
    `Instead: ${guard.instead}`,
    ['| level | mode |', '|---|---|', ...modes].join('\n'),
    `Checked at ${guard.on.join(', ')} for ${guard.match === '*' ? 'every tool' : guard.match.split('|').join(', ')}${guard.skill === undefined ? '' : `, while the skill \`${guard.skill}\` is active`}. To change the mode of this guard only:`,
    [
      '```yaml',
      'packs:',
      `  ${packOf(guard)}: { guards: { ${guard.id}: ask } } # deny, ask, warn or off`,
      '```',
    ].join('\n'),
    '## Stops',
    list(guard.examples.stops),
    '## Does not stop',
    list(guard.examples.passes),
    '',
  ].join('\n\n')
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
  const files = Object.entries(example.files ?? {}).map(([path, text]) => `, ${path}: ${text}`)
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
