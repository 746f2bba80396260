import type { Guard } from '../../guard.ts'
import { caughtSecret } from '../caught.ts'
import { isEnvFile } from '../secret-path.ts'

/** Changing, replacing or removing environment files. Reading them is `secrets/env-file/read`. */
export const writeEnvFile: Guard = {
  id: 'secrets/env-file/write',
  title: 'Changing an environment file',
  why: 'An .env file is not in version control: what is overwritten there cannot be restored.',
  instead:
    'write the new setting to .env.example with a placeholder, and ask the person to fill in their own .env.',
  on: ['PreToolUse'],
  match: 'Bash|Write|Edit|MultiEdit|NotebookEdit|apply_patch',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'Write', input: { file_path: '/srv/project/.env', content: 'A=1' } },
      { tool: 'Edit', input: { file_path: '.env.local', old_string: 'A=1', new_string: 'A=2' } },
      { tool: 'MultiEdit', input: { file_path: '/srv/project/apps/api/.env.production', edits: [] } },
      'echo "KEY=1" > .env',
      'echo "KEY=1" >> apps/web/.env.local',
      'printf "A=1\\n" | tee -a .env',
      'cp .env.example .env',
      'mv .env.example .env',
      'rm -f .env',
      'touch .env',
      ': > .env',
      '{ echo A=1; echo B=2; } > .env',
      'git checkout -- .env',
      'curl -o .env https://example.com/settings',
      "cat > .env <<'EOF'\nA=1\nEOF",
      'cd apps/web && echo A=1 > .env',
      'echo "KEY=1" > .env "',
      { tool: 'apply_patch', input: { command: '*** Begin Patch\n*** Add File: .env\n+A=1\n*** End Patch' } },
      { tool: 'apply_patch', input: { command: '*** Begin Patch\n*** Delete File: apps/web/.env.local\n' } },
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: .env\n@@\n-A=1\n+A=2\n*** End Patch\nEOF",
    ],
    passes: [
      { tool: 'Write', input: { file_path: '/srv/project/.env.example', content: 'A=' } },
      { tool: 'Edit', input: { file_path: 'src/environment.ts', old_string: 'a', new_string: '.env' } },
      { tool: 'Write', input: { file_path: 'docs/notes.md', content: 'cp .env.example .env' } },
      'echo "A=" >> .env.example',
      'cp .env.example .env.sample',
      'ls -la .env',
      'chmod 600 .env',
      'echo .env >> .gitignore',
      'git commit -m "cp .env.example .env"',
      'grep -rn "> .env" docs',
      'test -f .env',
      "cat > setup.md <<'EOF'\ncp .env.example .env\nEOF",
      'export ENV_FILE=.env',
      'ls # > .env',
      {
        tool: 'apply_patch',
        input: { command: '*** Begin Patch\n*** Add File: a.md\n+*** Add File: .env\n' },
      },
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .env.example\n+A=\n*** End Patch\nEOF",
    ],
  },
  check({ event, facts }) {
    return caughtSecret(event, facts, {
      match: (touch) => isEnvFile(touch.path),
      act: (touch) => (touch.access === 'write' ? { caught: `changes or removes ${touch.source}` } : null),
      mentions: /\.env\b/i,
    })
  },
}
