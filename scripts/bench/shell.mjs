import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/** How many commands the built-in packs evaluate, each parsed from scratch. */
export async function shellRows(root) {
  const load = (file) => import(pathToFileURL(join(root, 'build', file)))
  const { readCommands } = await load('shell/walk/read-commands.js')
  const { buildCheckPlan } = await load('app/check-plan.js')
  const { evaluate } = await load('core/engine/evaluate.js')
  const { actorOf, bash, frozenFacts } = await load('library/testing/events.js')
  const { engine } = await buildCheckPlan(undefined, undefined)
  const facts = frozenFacts()
  let at = 0
  const next = () => {
    at += 1
    return COMMANDS[at % COMMANDS.length]
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
      ['read into simple commands'.padEnd(32), rate(perSecond(() => readCommands(next(), facts)))],
      ['judged by safety and secrets'.padEnd(32), rate(perSecond(judge))],
    ],
    note: 'Eight different commands in turn, one core.',
  }
}
