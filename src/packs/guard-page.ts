import type { Example, Guard } from './guard.ts'

/** The page of a guard, made from what it says about itself: docs/guards/<id>.md. */
export function guardPage(guard: Guard): string {
  const modes = Object.entries(guard.modes).map(([level, mode]) => `| ${level} | ${mode} |`)
  return [
    `# ${guard.id}`,
    `**${guard.title}.** ${guard.why}`,
    `Instead: ${guard.instead}`,
    ['| level | what it does |', '|---|---|', ...modes].join('\n'),
    `Judged at ${guard.on.join(', ')} for ${guard.match === '*' ? 'every tool' : guard.match.split('|').join(', ')}${guard.skill === undefined ? '' : `, while the skill \`${guard.skill}\` is active`}. Another mode for this guard alone:`,
    [
      '```yaml',
      'packs:',
      `  ${packOf(guard)}: { guards: { ${guard.id}: ask } } # deny, ask, warn or off`,
      '```',
    ].join('\n'),
    '## Stops',
    list(guard.examples.stops),
    '## Lets pass',
    list(guard.examples.passes),
    '',
  ].join('\n\n')
}

function packOf(guard: Guard): string {
  return guard.id.split('/')[0] ?? guard.id
}

function list(examples: readonly Example[]): string {
  return ['```text', ...examples.map(spell), '```'].join('\n')
}

function spell(example: Example): string {
  if (typeof example === 'string') return example
  if ('tool' in example) return `${example.tool} ${JSON.stringify(example.input)}`
  const files = Object.entries(example.files ?? {}).map(([path, text]) => `, ${path}: ${text}`)
  return `${example.kind} ${JSON.stringify(example.fields)}${files.join('')}`
}
