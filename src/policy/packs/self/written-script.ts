import type { Guard } from '../../../core/guard.ts'
import { ran, writtenScriptGuard } from '../written-script.ts'

/** What a command may not do to Holdpoint or to the hook configuration, a file that the agent wrote may not do either. */
export const writtenScript: Guard = writtenScriptGuard({
  id: 'self/written-script',
  title: 'Running a script that changes Holdpoint or the hook configuration',
  why: 'A script written a moment ago must not change what only a person may change.',
  instead: 'remove that line from the script, or let the user make the change.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      ran('bash x.sh', { 'x.sh': "echo '{}' > .claude/settings.json\n" }),
      ran('bash < x.sh', { 'x.sh': 'rm -rf ~/.config/holdpoint\n' }),
      ran('cat x.sh | sh', { 'x.sh': 'cd .cla*; rm settings.json\n' }),
      ran('cp x.sh y.sh && sh y.sh', { 'x.sh': 'holdpoint pause\n' }),
      ran('python3 x.py', { 'x.py': 'open("/home/dev/.config/holdpoint/pause.json", "w").write("{}")\n' }),
      ran('node x.js', { 'x.js': 'require("fs").writeFileSync(".claude/settings.json", "{}")\n' }),
      ran('make off', { Makefile: 'off:\n\tsed -i s/holdpoint// .claude/settings.json\n' }),
      ran('git apply x.patch', {
        'x.patch': '--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{}\n+[]\n',
      }),
      ran('patch -p1 < x.patch', {
        'x.patch': '--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{}\n+[]\n',
      }),
    ],
    passes: [
      ran('bash x.sh', { 'x.sh': 'cat .claude/settings.json\n' }),
      ran('cat x.sh', { 'x.sh': 'rm -rf ~/.config/holdpoint\n' }),
      ran('bash x.sh', { 'x.sh': 'npm test\n' }),
      ran('bash x.sh', { 'x.sh': 'rm -rf ~/.config/holdpoint\n' }, ['/srv/project/y.sh']),
      ran('python3 x.py', { 'x.py': 'print(open(".claude/settings.json").read())\n' }),
      ran('git apply x.patch', {
        'x.patch': '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
      }),
      ran('git add x.sh', { 'x.sh': 'rm -rf ~/.config/holdpoint\n' }),
      ran('bash x.sh', { 'x.sh': 'holdpoint status\n' }),
      'bash x.sh',
    ],
  },
  guards: guardsOfPack,
})

/** Loaded when there is something to judge: the pack names this guard too. */
async function guardsOfPack(): Promise<readonly Guard[]> {
  const { pack } = await import('./pack.ts')
  return pack.guards.filter(({ id, on }) => on.includes('PreToolUse') && id !== 'self/written-script')
}
