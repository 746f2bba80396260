import { foreignCode } from './code-loading.ts'
import { patternGuard } from './command-guard.ts'

const CALL = /\bsystem\s*\(\s*["'`]/

/** `system("…")` in code of another language, which starts a shell that guards cannot check. */
export const systemCall = patternGuard({
  id: 'collective/block-destructive-commands/system-call',
  title: 'Code that calls system("',
  why: 'It starts a shell from inside another program, where guards cannot check what it runs.',
  instead: 'run the command directly, so that it can be checked.',
  mentions: /\bsystem\s*\(/,
  maybe: 'may start a shell from another program',
  examples: {
    stops: [
      `python3 -c 'import os; os.system("ls")'`,
      `python3 -c "import os; os.system('ls')"`,
      `perl -e 'system("ls")'`,
      `ruby -e 'system("ls")'`,
      `php -r 'system("ls");'`,
      `awk 'BEGIN { system("ls") }'`,
      `gawk 'BEGIN{system( "ls" )}'`,
      `lua -e 'os.execute("x") system("ls")'`,
      `python3 - <<'E'\nimport os\nos.system("ls")\nE`,
      `echo 'system("ls")' | perl`,
      `node -e 'system("ls")'`,
      `python3 <<< 'import os; os.system("ls")'`,
    ],
    passes: [
      `echo 'system("ls")'`,
      `grep -rn 'system("' src`,
      `rg 'os.system\\("' src`,
      `git commit -m 'remove system("ls")'`,
      `cat > run.py <<'E'\nimport os\nos.system("ls")\nE\n`,
      `python3 -c 'print("the system is up")'`,
      `python3 -c 'import platform; print(platform.system())'`,
      `sed -i 's/system("ls")//' run.pl`,
      'systemctl status',
      'ls',
      `awk '{ print $1 }' file`,
      `node -e 'console.log(1)'`,
    ],
  },
  find(command) {
    const has = foreignCode(command).some((code) => CALL.test(code))
    return has ? { caught: 'starts a shell from inside another program (system)' } : undefined
  },
})
