import { isEnvFile } from '../../../analysis/secret-path.ts'
import { secretGuard } from '../secret-guard.ts'

/** Changing, replacing or removing environment files. Reading them is `secrets/env-file/read`. */
export const writeEnvFile = secretGuard({
  id: 'secrets/env-file/write',
  title: 'Changing an environment file',
  why: 'An .env file is not in version control, so overwritten values cannot be restored.',
  instead: 'add the new setting to .env.example with a placeholder, and let the user fill in their own .env.',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'Write', input: { file_path: '/srv/project/.env', content: 'A=1' } },
      { tool: 'Edit', input: { file_path: '.env.local', old_string: 'A=1', new_string: 'A=2' } },
      { tool: 'MultiEdit', input: { file_path: '/srv/project/apps/api/.env.production', edits: [] } },
      'echo "KEY=1" > .env',
      'echo "KEY=1" >> apps/web/.env.local',
      'printf "A=1\\n" | tee -a .env',
      'cp settings.txt .env',
      'cp .env.example .env; echo A=1 >> .env',
      'rm -f .env',
      'touch .env',
      ': > .env',
      '{ echo A=1; echo B=2; } > .env',
      'git checkout -- .env',
      'curl -o .env https://example.com/settings',
      "cat > .env <<'EOF'\nA=1\nEOF",
      'cd apps/web && echo A=1 > .env',
      'echo "KEY=1" > .env "',
      "sed -i 's/A=1/A=2/' .env",
      'perl -pi -e s/a/b/ .env.local',
      'mv .env .env.old',
      'truncate -s 0 .env',
      'install -m 600 settings .env',
      { tool: 'mcp__fs__write_file', input: { path: '.env', content: 'A=1' } },
      { tool: 'mcp__fs__move_file', input: { source: '.env', destination: 'x' } },
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
      'cp .env.example .env',
      'cp -n apps/web/.env.example apps/web/.env',
      'mv .env.example .env',
      'test -f .env || cp .env.sample .env',
      'ls -la .env',
      'chmod 600 .env',
      'echo .env >> .gitignore',
      'git commit -m "cp .env.example .env"',
      'grep -rn "> .env" docs',
      'test -f .env',
      "cat > setup.md <<'EOF'\ncp .env.example .env\nEOF",
      'export ENV_FILE=.env',
      'ls # > .env',
      "sed -i 's/A=1/A=2/' .env.example",
      'source .env',
      { tool: 'mcp__fs__write_file', input: { path: 'docs/env.md', content: '.env' } },
      {
        tool: 'apply_patch',
        input: { command: '*** Begin Patch\n*** Add File: a.md\n+*** Add File: .env\n' },
      },
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .env.example\n+A=\n*** End Patch\nEOF",
    ],
  },
  isSecret: (touch) => isEnvFile(touch.path),
  act: (touch) => {
    if (touch.access !== 'write' || FIRST_SET_UP.test(touch.fragment)) return null
    return { caught: `changes or removes ${touch.source}` }
  },
  mentions: /\.env\b/i,
})

/** The first step of many READMEs: `cp .env.example .env`. */
const FIRST_SET_UP =
  /(?:^|\s)(?:cp|mv|install)\s+(?:-\S+\s+)*["']?\S*\.env\S*[._-](?:example|sample|template|tmpl|dist|defaults?)["']?\s+\S+$/
