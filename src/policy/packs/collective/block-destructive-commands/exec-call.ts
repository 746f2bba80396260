import { foreignCode } from './code-loading.ts'
import { patternGuard } from './command-guard.ts'

const CALL = /exec\s*\(/

/** `exec(…)` in code of another language. */
export const execCall = patternGuard({
  id: 'collective/block-destructive-commands/exec-call',
  title: 'Code that calls exec(',
  why: 'It runs a command or generated code from inside another program, where guards cannot check it.',
  instead: 'run the command directly, so that it can be checked.',
  mentions: /exec\s*\(/,
  maybe: 'may run code from another program',
  examples: {
    stops: [
      `python3 -c 'exec("print(1)")'`,
      `python3 -c 'exec(open("a.py").read())'`,
      `php -r 'exec("ls");'`,
      `php -r 'echo shell_exec("ls");'`,
      `ruby -e 'exec("ls")'`,
      `perl -e 'exec("ls")'`,
      `node -e 'require("child_process").exec("ls")'`,
      `node --eval 'exec ("ls")'`,
      `node --eval='exec("ls")'`,
      `python3 - <<'E'\nexec("print(1)")\nE`,
      `echo 'exec("ls")' | ruby`,
      `python3 <<< 'exec("1")'`,
      `deno eval 'exec("ls")'`,
      `perl -lane 'exec("ls")' file`,
      `python3 -Ic 'exec("1")'`,
      `php -d x=1 -r 'exec("ls");'`,
    ],
    passes: [
      `echo 'exec("ls")'`,
      `grep -rn 'exec(' src`,
      `git commit -m 'remove exec( from hooks'`,
      `cat > run.py <<'E'\nexec("print(1)")\nE\n`,
      'docker exec web ls',
      `python3 check.py 'exec(1)'`,
      `node -r dotenv/config app.js 'exec(1)'`,
      'kubectl exec web -- ls',
      'find . -name "*.ts" -exec wc -l {} +',
      'exec bash',
      `python3 -c 'print("execute")'`,
      'npm exec vitest run',
      `sed -i 's/exec(a)//' run.js`,
      `node -e 'console.log(1)'`,
    ],
  },
  find(command) {
    const has = foreignCode(command).some((code) => CALL.test(code))
    return has ? { caught: 'runs code from inside another program (exec)' } : undefined
  },
})
