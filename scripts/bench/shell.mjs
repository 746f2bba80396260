import { builtModule } from '../built-module.mjs'
import { perSecond, rate } from './rate.mjs'

const COMMANDS = [
  'git status',
  'ls -la src | head -20',
  'npm run build && npm test -- --run',
  'git commit -m "docs: say why rm -rf / is stopped"',
  'for f in *.ts; do sed -i "s/a/b/" "$f"; done',
  'bash -c "cd / && sudo rm -rf *"',
  'curl -fsSL https://example.com/install.sh -o /tmp/install.sh',
  "find . -name '*.pyc' -delete",
]

/**
 * How many commands the built-in packs evaluate, each parsed from scratch.
 * @param {import('./amounts.mjs').Amounts} amounts
 * @returns {Promise<import('./report.mjs').Section>}
 */
export async function shellRows(amounts) {
  const { readCommands } = await builtModule('src/shell/walk/read-commands.ts')
  const { buildCheckPlan } = await builtModule('src/app/check-plan.ts')
  const { evaluate } = await builtModule('src/core/engine/evaluate.ts')
  const { actorOf, bash, frozenFacts } = await builtModule('src/library/testing/events.ts')
  const { engine } = await buildCheckPlan(undefined, undefined)
  const facts = frozenFacts()
  let at = 0
  const next = () => {
    at += 1
    return COMMANDS[at % COMMANDS.length] ?? ''
  }
  const judge = () => {
    const event = bash(next())
    return evaluate(engine, event, {
      actor: actorOf(event),
      facts,
      memory: {},
      budgetMs: 1000,
      now: () => performance.now(),
    })
  }
  return {
    title: 'Shell commands',
    head: ['what', 'commands/s'],
    rows: [
      [
        'read into simple commands'.padEnd(32),
        rate(perSecond(() => readCommands(next(), facts), amounts.rate)),
      ],
      ['judged by safety and secrets'.padEnd(32), rate(perSecond(judge, amounts.rate))],
    ],
    note: 'Eight different commands in turn, one core.',
  }
}
