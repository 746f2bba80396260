import { isSettingsFile } from '../../analysis/secret-path.ts'
import type { Touch } from '../../analysis/touched-paths.ts'
import { secretGuard } from './secret-guard.ts'

/** Application settings that contain the database password. */
export const settingsWithSecrets = secretGuard({
  id: 'secrets/settings-file',
  title: 'Application settings with passwords',
  why: 'These files contain the database password and the secret keys of the site in plain text.',
  instead:
    'read the example file next to it (`cat web/sites/default/default.settings.php`), or ask for the one setting you need.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'Read', input: { file_path: 'web/sites/default/settings.php' } },
      { tool: 'Read', input: { file_path: '/srv/project/wp-config.php' } },
      { tool: 'Grep', input: { pattern: 'password', path: 'sites/default/settings.php' } },
      { tool: 'Grep', input: { pattern: 'DB_', glob: '**/settings.php' } },
      {
        tool: 'Edit',
        input: { file_path: 'sites/default/settings.local.php', old_string: 'a', new_string: 'b' },
      },
      { tool: 'mcp__fs__read_file', input: { path: 'settings.php' } },
      'cat sites/default/settings.php',
      'grep -n database web/sites/*/settings.php',
      'head -n 50 wp-config.php',
      'php -r "include \'settings.php\'; print_r($databases);"',
      'cp settings.php /tmp/x',
      'git show HEAD:sites/default/settings.php',
      'cat sites/default/settings.php "',
    ],
    passes: [
      { tool: 'Read', input: { file_path: 'web/sites/default/default.settings.php' } },
      { tool: 'Read', input: { file_path: 'src/Settings.php.md' } },
      { tool: 'Grep', input: { pattern: 'settings.php', path: 'docs' } },
      'cat web/sites/default/default.settings.php',
      'cat wp-config-sample.php',
      'ls -la web/sites/default/settings.php',
      'chmod 444 web/sites/default/settings.php',
      'test -f wp-config.php',
      'git check-ignore settings.php',
      'echo settings.php >> .gitignore',
      'cat config/settings.py',
      'grep -rn settings.php docs',
    ],
  },
  isSecret: (touch, home) => isSettingsFile(touch.path, home),
  act,
  mentions: /settings(?:\.local)?\.php|wp-config\.php/i,
})

function act(touch: Touch): { readonly caught: string; readonly unsure?: string } | null {
  if (touch.access === 'read') return { caught: `reads ${touch.source}` }
  if (touch.access !== 'write') return null
  return { caught: `changes ${touch.source}`, unsure: 'the change may not affect the passwords' }
}
