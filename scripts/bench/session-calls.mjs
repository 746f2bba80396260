/**
 * The calls of one session, as coding agents make them: about half are commands, then files that are read and changed, and
 * searches. Each is sent in turn, so none is favoured, and none is a call of the daemon's warm-up. `@@@@@@@@` becomes
 * a number that was never used before: the call is new. Without it, agents repeat the call.
 */
const CALLS = [
  ['Bash', { command: 'git status --short --branch' }],
  ['Read', { file_path: 'src/server/routes@@@@@@@@.ts' }],
  ['Grep', { pattern: 'handleRequest@@@@@@@@', path: 'src', output_mode: 'content' }],
  ['Bash', { command: 'npm test -- --run src/server/routes@@@@@@@@.test.ts 2>&1 | tail -30' }],
  ['Read', { file_path: 'src/server/routes@@@@@@@@.test.ts', limit: 80 }],
  [
    'Edit',
    { file_path: 'src/server/routes.ts', old_string: 'const a = @@@@@@@@', new_string: 'const a = 2' },
  ],
  ['Bash', { command: 'npx tsc --noEmit -p tsconfig@@@@@@@@.json' }],
  ['Glob', { pattern: 'src/**/*@@@@@@@@.ts' }],
  ['Bash', { command: 'git diff --stat HEAD~1 -- src/part@@@@@@@@ && git log --oneline -5' }],
  ['Read', { file_path: 'package.json', offset: 1 }],
  ['Bash', { command: 'ls -la src/server@@@@@@@@ | head -20' }],
  ['Bash', { command: "sed -n '1,80p' src/server/part@@@@@@@@.ts" }],
  ['Edit', { file_path: 'README.md', old_string: 'Part @@@@@@@@', new_string: 'Part two' }],
  ['Bash', { command: 'cd packages/app && npm run build -- --out ../../build/@@@@@@@@' }],
  ['Bash', { command: 'node scripts/check.mjs --only @@@@@@@@ > /tmp/check.log; tail -5 /tmp/check.log' }],
  ['Bash', { command: 'git add -A && git commit -m "server: routes @@@@@@@@"' }],
]

/** As `time` reads them. */
export function sessionEvents(installation, { areNew }) {
  return CALLS.map(([tool, input]) => {
    const text = JSON.stringify(input)
    return installation.call(tool, JSON.parse(areNew ? text : text.replaceAll('@@@@@@@@', '1')))
  }).join('\0')
}
