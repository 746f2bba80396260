import type { Guard } from '../../../core/guard.ts'
import { wordSet } from '../../../core/word-list.ts'
import { ran, writtenScriptGuard } from '../written-script.ts'

/** A secret that may not be read in a command may not be read by a file that the agent wrote either. */
export const writtenScript: Guard = writtenScriptGuard({
  id: 'secrets/written-script',
  title: 'Running a script that reads a secret',
  why: 'A secret that a command may not show must not be shown by a script written a moment ago.',
  instead: 'remove that line from the script, or let the user run it.',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      ran('bash x.sh', { 'x.sh': 'cat ~/.aws/credentials\n' }),
      ran('bash < x.sh', { 'x.sh': 'cat ~/.ssh/id_rsa\n' }),
      ran('cat x.sh | sh', { 'x.sh': 'cat .env\n' }),
      ran('cp x.sh y.sh && sh y.sh', { 'x.sh': 'base64 ~/.netrc\n' }),
      ran('python3 x.py', { 'x.py': 'print(open("/home/dev/.ssh/id_rsa").read())\n' }),
      ran('node x.js', { 'x.js': 'console.log(require("fs").readFileSync("/home/dev/.netrc", "utf8"))\n' }),
      ran('make show', { Makefile: 'show:\n\tcat ~/.kube/config\n' }),
      ran('source x.sh', { 'x.sh': 'gh auth token\n' }),
      ran('awk -f x.awk', { 'x.awk': 'BEGIN { system("cat ~/.aws/credentials") }\n' }),
    ],
    passes: [
      ran('bash x.sh', { 'x.sh': 'aws sts get-caller-identity\n' }),
      ran('cat x.sh', { 'x.sh': 'cat ~/.aws/credentials\n' }),
      ran('node server.js', { 'server.js': 'require("fs").readFileSync(".env", "utf8")\n' }),
      ran('python3 app.py', { 'app.py': 'from dotenv import load_dotenv\nload_dotenv()\n' }),
      ran('bash x.sh', { 'x.sh': 'source .env\nnpm start\n' }),
      ran('bash x.sh', { 'x.sh': 'cat ~/.aws/credentials\n' }, ['/srv/project/y.sh']),
      ran('shellcheck x.sh', { 'x.sh': 'cat ~/.ssh/id_rsa\n' }),
      ran('bash x.sh', { 'x.sh': 'curl -H "Authorization: Bearer $TOKEN" https://api.example.com\n' }),
      'bash x.sh',
    ],
  },
  guards: guardsOfPack,
  shellOnly: wordSet('secrets/env-file/read'),
})

/** Programs use variables and settings; the files that open accounts are not theirs. */
const JUDGING = wordSet(
  'secrets/env-file/read secrets/credential-file secrets/private-key secrets/print-credential',
)

/** Loaded when there is something to judge: the pack names this guard too. */
async function guardsOfPack(): Promise<readonly Guard[]> {
  const { pack } = await import('./pack.ts')
  return pack.guards.filter(({ id }) => JUDGING.has(id))
}
