/** One call of an agent: its tool and its input. `%` becomes a number, so that the call is new each time. */
export type SampleCall = readonly [tool: string, input: Readonly<Record<string, unknown>>]

/** What coding agents usually run. Together they use most of what reads a command. */
const COMMANDS: readonly string[] = [
  'ls -la src/part-%',
  'git status --short && git diff --stat -- lib/%',
  'npm run build && npm test -- lib/%.test.js 2>&1 | tail -20',
  'cat docs/page-%.md | head -40',
  'rg -n "export function part%" src --type ts',
  'cd packages/web-% && node tools/verify.mjs --all',
  'git commit -m "Say why (#%)" && git push origin topic-%',
  'mkdir -p out/% && cp -r assets out/%/ && rm -rf out/%/tmp',
  'for f in src/%/*.ts; do wc -l "$f"; done',
  'python3 -c "print(%)" > out-%.txt',
  'git push --force origin main # %',
  'cat .env.% 2>/dev/null || echo none',
  'NODE_ENV=test npx vitest run src/%.test.ts --reporter=dot',
  "sed -i 's/old%/new/g' src/app-%.ts && git diff",
  'find . -name "*%*.json" -not -path "*/node_modules/*" | xargs grep -l version',
  "awk '{ print $1 }' data-%.csv | sort | uniq -c | sort -rn | head -5",
  'curl -s http://localhost:3000/api/items/% | jq .name',
  'docker compose -f stack-%.yml up -d && docker compose logs --tail 50 web',
  'test -f build-%.log && tail -n 20 build-%.log || (echo missing; exit 1)',
  "cat > notes-%.md <<'EOF'\n# Notes\n\nPart % is done.\nEOF",
  'export LEVEL=% && make -j4 check > check-%.log 2>&1; echo "exit $?"',
  'x=$(git rev-parse HEAD); echo "$x" | cut -c1-%',
  'pip install -r requirements-%.txt && pytest -q tests/part_%.py -k "not slow"',
  'cargo test --package part-% -- --nocapture | grep -E "FAILED|ok"',
  'go test ./pkg/part%/... -run TestPart% -count=1',
  'tar -czf archive-%.tgz dist && sha256sum archive-%.tgz',
  'git log --oneline -n 10 --since=yesterday -- src/%.ts; git show --stat HEAD~1',
  'bash -c "echo % && ls"',
  'ps aux | grep [n]ode | head -% ; kill -0 %',
  'touch src/new-%.ts && chmod +x scripts/run-%.sh && ./scripts/run-%.sh --quick',
  // What is denied takes another way, to an explanation and a record of it.
  'sh -c "cd /var/lib/part-% && rm -rf *"',
  'sudo rm -rf /opt/part-% /usr/local/part-%',
  'git reset --hard HEAD~% && git clean -fdx',
  'rm -rf coverage .cache-%',
  'cat config/.env | grep KEY_%',
  'mysql -h db%.prod.example.org -e "drop table orders"',
  'git branch -D topic-% && git push origin --delete topic-%',
]

const OTHERS: readonly SampleCall[] = [
  ['Read', { file_path: 'lib/reader-%.ts' }],
  ['Read', { file_path: '/usr/share/doc/part-%/README', offset: 40, limit: 200 }],
  ['Edit', { file_path: 'lib/edited.ts', old_string: 'let part = %', new_string: 'const part = % + 1' }],
  ['Edit', { file_path: 'docs/page-%.md', old_string: 'Old.', new_string: 'New.\n\nSecond line.' }],
  ['Write', { file_path: 'lib/made-%.ts', content: 'export function part() {\n  return %\n}\n' }],
  ['Write', { file_path: 'scripts/made-%.sh', content: '#!/bin/sh\nset -e\nnpm run build\nls out/%\n' }],
  ['MultiEdit', { file_path: 'lib/many.ts', edits: [{ old_string: 'a%', new_string: 'b%' }] }],
  ['Grep', { pattern: 'part%\\(', path: 'lib', output_mode: 'files_with_matches', glob: '*.ts' }],
  ['Glob', { pattern: 'lib/**/*-%.test.ts' }],
  ['WebFetch', { url: 'https://example.org/docs/%', prompt: 'What does part % do?' }],
  ['Task', { description: 'Look at part %', prompt: 'Read lib/% and report.', subagent_type: 'general' }],
  ['Read', { file_path: 'config/.env.%' }],
  ['TodoWrite', { todos: [{ content: 'Part %', status: 'pending', activeForm: 'Doing part %' }] }],
]

/** As in a session: commands and other tools in turn. */
export const SAMPLE_CALLS: readonly SampleCall[] = COMMANDS.flatMap((command, i) => {
  const other = OTHERS[i % OTHERS.length]
  const asCommand: SampleCall = ['Bash', { command, description: 'Look around' }]
  return other === undefined ? [asCommand] : [asCommand, other]
})

/** What comes between the calls of a session. Code that has seen many kinds of events is not thrown away at the next one. */
export const OCCASIONS: readonly (readonly [event: string, payload: Readonly<Record<string, unknown>>])[] = [
  ['UserPromptSubmit', { prompt: 'Now part %, please, with a test.' }],
  ['Stop', { stop_hook_active: false }],
  ['SubagentStart', { agent_id: 'agent-%', agent_type: 'general' }],
  ['SubagentStop', { stop_hook_active: false, agent_id: 'agent-%' }],
  ['SessionStart', { source: 'startup' }],
  [
    'PostToolUseFailure',
    {
      tool_name: 'Bash',
      tool_input: { command: 'npm test -- %' },
      error: 'Exit code 1',
      is_interrupt: false,
    },
  ],
  ['PreCompact', { trigger: 'auto', custom_instructions: '' }],
  ['Notification', { message: 'Part % is waiting for you.', notification_type: 'idle_prompt' }],
  ['PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make part-%' } }],
  ['SessionEnd', { reason: 'other' }],
]
