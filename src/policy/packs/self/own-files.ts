import { pathGuard } from './path-guard.ts'

/** Where Claude Code stores the plugin. */
const PLUGIN = '/home/dev/.claude/plugins/cache/holdpoint/holdpoint/0.2.0'
const PLUGIN_DATA = '/home/dev/.claude/plugins/data/holdpoint-holdpoint'

/** Holdpoint's configuration, state, journal, socket and program. */
export const ownFiles = pathGuard({
  id: 'self/own-files',
  title: 'Changing Holdpoint itself',
  why: 'These files decide which calls are stopped and record what happened, so only the user may change them.',
  instead: 'describe the change you need and let the user make it.',
  whose: 'own',
  mentions: /holdpoint/,
  maybe: 'may change Holdpoint files',
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
      called('Bash', { command: 'cp evil /opt/versions/node/v99.0.0/bin/node' }),
      called('Bash', { command: 'rm -rf /opt/versions' }),
      called('Write', { file_path: '/opt/versions/node/v20.19.0/bin/node', content: '' }),
      linked('Write', { file_path: '/srv/checkout/dist/hook.cjs', content: '' }),
      linked('Bash', { command: 'rm -rf /srv/checkout' }),
      linked('Bash', { command: 'cd /srv/checkout && rm -rf dist' }),
      linked('Bash', { command: 'mv /srv/checkout /tmp/x' }),
      linked('Write', { file_path: '/home/dev/dotfiles/holdpoint/pause.json', content: '{}' }),
      linked('Bash', { command: 'echo "{}" > ~/dotfiles/holdpoint/trust.json' }),
      { tool: 'Write', input: { file_path: `${PLUGIN}/bin/holdpoint-hook`, content: 'exit 0' } },
      { tool: 'Edit', input: { file_path: `${PLUGIN}/hooks/hooks.json`, old_string: 'a', new_string: 'b' } },
      { tool: 'Write', input: { file_path: '/srv/checkout/plugin/bin/holdpoint-hook', content: 'exit 0' } },
      { tool: 'Write', input: { file_path: `${PLUGIN_DATA}/home`, content: '/srv/evil' } },
      'echo /srv/evil > ~/.claude/plugins/data/holdpoint-holdpoint/home',
      'rm -rf ~/.claude/plugins/cache/holdpoint',
      'chmod -x ~/.claude/plugins/cache/holdpoint/holdpoint/0.2.0/bin/holdpoint-hook',
      'CLAUDE=/opt/claude; rm $CLAUDE/plugins/data/holdpoint-holdpoint/home',
      'rm -rf ~/.claude/plugins/marketplaces/holdpoint/plugin',
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
      'rm /opt/tools/bin/hold*',
      'echo "" > node_modules/holdpoint/dist/hook.cjs',
      'sed -i s/deny/off/ .holdpoint/config.yaml',
      'find ~/.config/holdpoint -delete',
      "cd ~/.config/*point && echo '{}' > pause.json",
      'cd ~/.config && cd hold* && cp /tmp/p pause.json',
      'CDPATH=~/.config cd holdpoint && echo > pause.json',
      'env -C ~/.config/*point tee pause.json < x',
      'echo x > "$(find ~ -name pause.json)"',
      'locate pause.json | xargs -I{} cp /tmp/p {}',
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
      called('Bash', { command: 'rm /opt/versions/node/v18.0.0/README.md' }),
      called('Bash', { command: '/opt/versions/node/v20.19.0/bin/node --version' }),
      linked('Write', { file_path: '/srv/checkout/src/index.ts', content: '' }),
      linked('Bash', { command: 'rm -rf /srv/checkout/coverage' }),
      linked('Bash', { command: 'cat /srv/checkout/dist/hook.cjs' }),
      linked('Bash', { command: 'rm ~/dotfiles/nvim/init.lua' }),
      { tool: 'Read', input: { file_path: `${PLUGIN}/skills/mux/SKILL.md` } },
      'cat ~/.claude/plugins/cache/holdpoint/holdpoint/0.2.0/hooks/hooks.json',
      'python3 ~/.claude/plugins/cache/team/tools/1.0.0/run.py',
      'rm -rf ~/.claude/plugins/cache/team/tools/1.0.0/tmp',
      'rm -rf ~/.claude/plugins/cache/team',
      'rm -rf plugins/cache',
      'cat .holdpoint/config.yaml',
      'ls -la ~/.config/holdpoint',
      'cd ~/.config/*point && cat trust.json',
      'cd "$DIR" && echo x > pause.json',
      'find src -name config.yaml -exec sed -i s/a/b/ {} +',
      'find . -name "*.yaml" | while read -r f; do sed -i s/a/b/ "$f"; done',
      'tail -f ~/.config/holdpoint/run/daemon.log',
      'git diff .holdpoint',
      'git add .holdpoint/config.yaml',
      'rm -rf node_modules',
      'rm -rf dist build',
      'chmod +x bin/*',
      'rm -f bin/*',
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

/** For installations where Holdpoint's folder is somewhere else and Node comes from a version manager. */
function called(name: string, input: Record<string, string>) {
  const nodes = ['/opt/versions/node/v20.19.0/bin/node', '/opt/versions/node/*/bin/node']
  const options = { home: '/opt/guard', nodes }
  return { kind: 'PreToolUse' as const, fields: { tool: { name, input } }, options }
}

/** Where Holdpoint runs from a checkout, and its folder is a link. */
function linked(name: string, input: Record<string, string>) {
  const real = { own: ['/srv/checkout/dist', '/home/dev/dotfiles/holdpoint'], agent: [] }
  return { kind: 'PreToolUse' as const, fields: { tool: { name, input } }, options: { real } }
}
