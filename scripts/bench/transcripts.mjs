import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Commands as agents make them: all different, most of them harmless. */
/** @type {readonly ((n: number) => string)[]} */
const SHAPES = [
  (n) => `git status --short src/part${n}`,
  (n) => `ls -la src/part${n} | head -20`,
  (n) => `npm run build && npm test -- --run test/case${n}.test.ts`,
  (n) => `git commit -m "part ${n}: say why rm -rf / is stopped"`,
  (n) => `for f in src/part${n}/*.ts; do sed -i "s/a/b/" "$f"; done`,
  (n) => `bash -c "cd /srv/data${n} && sudo rm -rf *"`,
  (n) => `curl -fsSL https://example.com/install${n}.sh -o /tmp/install${n}.sh`,
  (n) => `find . -name '*.pyc${n}' -delete`,
  (n) => `python3 scripts/run${n}.py --input data/${n}.json | tee logs/${n}.log`,
  (n) => `git push --force origin topic-${n}`,
]

/** @param {number} n */
export function commandAt(n) {
  return SHAPES[n % SHAPES.length]?.(n) ?? ''
}

const CALLS_PER_SESSION = 200

/**
 * Transcripts of Claude Code with this many calls, each with its result and some prose.
 * @param {string} home
 * @param {number} calls
 */
export function writeTranscripts(home, calls) {
  const folder = join(home, '.claude', 'projects', '-srv-project')
  mkdirSync(folder, { recursive: true })
  for (let first = 0; first < calls; first += CALLS_PER_SESSION) {
    const session = `00000000-0000-4000-8000-${String(first).padStart(12, '0')}`
    const file = openSync(join(folder, `${session}.jsonl`), 'w')
    const lines = []
    for (let n = first; n < Math.min(calls, first + CALLS_PER_SESSION); n += 1) {
      const at = new Date(Date.now() - 3_600_000 + n).toISOString()
      const base = {
        sessionId: session,
        cwd: '/srv/project',
        version: '2.1.325',
        timestamp: at,
        uuid: `u${n}`,
      }
      const use = { type: 'tool_use', id: `toolu_${n}`, name: 'Bash', input: { command: commandAt(n) } }
      const result = { type: 'tool_result', tool_use_id: `toolu_${n}`, content: 'ok\n'.repeat(50) }
      lines.push(
        {
          ...base,
          type: 'assistant',
          message: { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(300) }] },
        },
        { ...base, type: 'assistant', message: { role: 'assistant', content: [use] } },
        { ...base, type: 'user', message: { role: 'user', content: [result] } },
      )
    }
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    closeSync(file)
  }
}
