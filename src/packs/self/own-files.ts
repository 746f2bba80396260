import { pathGuard } from './path-guard.ts'

/** Holdpoint's configuration, state, journal, socket and program. */
export const ownFiles = pathGuard({
  id: 'self/own-files',
  title: 'Changing Holdpoint itself',
  why: 'Its files decide what is stopped and remember what was, so only a person may change them.',
  instead: 'describe the change you need and ask the person to make it.',
  whose: 'own',
  mentions: /holdpoint/,
  maybe: 'may change files of Holdpoint',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'Write', input: { file_path: '.holdpoint/config.yaml', content: 'version: 1' } },
      {
        tool: 'Edit',
        input: { file_path: '/srv/project/.holdpoint/config.local.yaml', old_string: 'a', new_string: '' },
      },
      { tool: 'Write', input: { file_path: '/home/dev/.config/holdpoint/exceptions.json', content: '{}' } },
      { tool: 'Write', input: { file_path: '/home/dev/.config/holdpoint/pause.json', content: '{}' } },
      { tool: 'mcp__fs__delete_file', input: { path: '/home/dev/.config/holdpoint/config.yaml' } },
      called('Write', { file_path: '/opt/guard/trust.json', content: '{}' }),
      called('Bash', { command: 'rm -rf /opt/guard/state' }),
      called('Bash', { command: 'rm -rf /opt' }),
      'ln -sf /dev/null .holdpoint/config.yaml',
      'rm -rf .holdpoint',
      'rm -rf ~/.config/holdpoint',
      'rm ~/.config/holdpoint/run/hook.sock',
      'echo "{}" > ~/.config/holdpoint/trust.json',
      'cd ~/.config && rm -r holdpoint',
      'mv ~/.config/holdpoint /tmp/x',
      'chmod -x ~/.config/holdpoint/bin/holdpoint-hook',
      'strip -o ~/.config/holdpoint/bin/holdpoint-hook /bin/true',
      'objcopy /bin/true ~/.config/holdpoint/bin/holdpoint-hook',
      'cp /bin/true ~/.config/holdpoint/bin/holdpoint-hook',
      'rm -rf node_modules/holdpoint',
      'echo "" > node_modules/holdpoint/dist/hook.cjs',
      'sed -i s/deny/off/ .holdpoint/config.yaml',
      'find ~/.config/holdpoint -delete',
      'find ~/.config/holdpoint/state -type f -exec rm {} +',
      'tee -a .holdpoint/config.yaml < x',
      `sqlite3 ~/.config/holdpoint/journal/journal.db "DELETE FROM records"`,
      `node -e "require('fs').rmSync(process.env.HOME + '/x'); require('fs').writeFileSync('.holdpoint/config.yaml', '')"`,
      'truncate -s 0 ~/.config/holdpoint/journal/spool.jsonl',
    ],
    passes: [
      { tool: 'Write', input: { file_path: '.holdpoint/tests/git.yaml', content: 'cases: []' } },
      { tool: 'Read', input: { file_path: '.holdpoint/config.yaml' } },
      { tool: 'Write', input: { file_path: 'docs/holdpoint.md', content: '.holdpoint/config.yaml' } },
      called('Bash', { command: 'cat /opt/guard/trust.json' }),
      called('Bash', { command: 'rm -rf /opt/other' }),
      'cat .holdpoint/config.yaml',
      'ls -la ~/.config/holdpoint',
      'tail -f ~/.config/holdpoint/run/daemon.log',
      'git diff .holdpoint',
      'git add .holdpoint/config.yaml',
      'rm -rf node_modules',
      'rm -rf dist build',
      'npm install holdpoint',
      'git commit -m "remove .holdpoint/config.yaml"',
      'grep -rn holdpoint src',
      'cp .holdpoint/config.yaml /tmp/config.yaml',
      'mkdir -p .holdpoint/tests',
      'rm .holdpoint/tests/old.yaml',
      'cp -r ~/.config/nvim /tmp/nvim',
    ],
  },
})

/** Where Holdpoint's folder is somewhere else. */
function called(name: string, input: Record<string, string>) {
  return { kind: 'PreToolUse' as const, fields: { tool: { name, input } }, options: { home: '/opt/guard' } }
}
