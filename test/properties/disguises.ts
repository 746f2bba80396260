/**
 * Ways to write the same command differently, and ways to write it as text that is not run. Each takes a complete
 * command line, which may end with a comment or a here-document, so the closing part is on a separate line.
 */
export interface Spelling {
  readonly name: string
  readonly names?: boolean
  spell(command: string): string
}

/** Another program runs the text. */
export const RUN_BY: readonly Spelling[] = [
  quoted('bash -c', 'bash -c '),
  quoted('sh -xec', 'sh -xec '),
  quoted('bash with options', 'bash --norc -o pipefail -c '),
  quoted('eval', 'eval '),
  quoted('sudo', 'sudo -n -u root -- bash -lc '),
  quoted('doas', 'doas -u root sh -c '),
  quoted('env', 'env -u UNSET_NAME GIVEN_NAME=1 bash -c '),
  quoted('timeout nice', 'timeout -s KILL 10 nice -n 5 bash -c '),
  quoted('nohup setsid', 'nohup setsid sh -c ', ' &'),
  quoted('stdbuf ionice', 'stdbuf -oL ionice -c3 bash -c '),
  quoted('command exec', 'command exec bash -c '),
  quoted('time', 'time bash -c '),
  quoted('flock', 'flock -n /tmp/lock -c '),
  quoted('script', 'script -qec ', ' /dev/null'),
  quoted('xargs', 'xargs -r bash -c ', ' < /dev/null'),
  {
    name: 'find -exec',
    // find replaces `{}` by a path inside the text too, which makes it another command.
    spell: (command) =>
      command.includes('{}') ? command : `find . -maxdepth 0 -exec bash -c ${singleQuoted(command)} \\;`,
  },
  quoted('trap', 'trap ', ' EXIT'),
  quoted('npx -c', 'npx -c '),
  quoted('a here-string', 'bash <<< '),
  quoted('echo into a shell', 'echo ', ' | bash'),
  quoted('printf into a shell', "printf '%s\\n' ", ' | sudo sh -s'),
  quoted('a sourced substitution', 'source <(echo ', ')'),
  quoted('a variable', 'TEXT_OF_CODE=', '; eval "$TEXT_OF_CODE"'),
  {
    name: 'a written script',
    // Each with a separate file: a script that overwrites itself while it runs is not read again.
    spell: (command) => {
      const file = `/tmp/written-${command.length}.sh`
      return `printf '%s\\n' ${singleQuoted(command)} > ${file}; bash ${file}`
    },
  },
  hereDocument('a here-document', 'bash'),
  hereDocument('a piped here-document', 'cat', ' | env bash'),
  {
    name: 'base64',
    spell: (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | bash`,
  },
  {
    name: 'python',
    spell: (command) => `python3 -c ${singleQuoted(`import os; os.system(${JSON.stringify(command)})`)}`,
  },
  {
    name: 'node',
    spell: (command) =>
      `node -e ${singleQuoted(`require("child_process").execSync(${JSON.stringify(command)})`)}`,
  },
]

/** The command is part of another command. */
export const INSIDE: readonly Spelling[] = [
  around('a subshell', '( ', ')'),
  around('braces', '{ ', '}'),
  around('braces with a redirection', '{ ', '} > /tmp/log 2>&1'),
  around('if', 'if true; then ', 'fi'),
  around('else', 'if false; then :; else ', 'fi'),
  around('a condition', 'if { ', '}; then :; fi'),
  around('for', 'for each_time in 1 2; do ( ', '); done'),
  around('while', 'while true; do ( ', '); break; done'),
  around('case', 'case x in *) ', ';; esac'),
  around('a function', 'wrapped_up() { ', '}; wrapped_up'),
  around('a substitution', 'taken_out=$( ', ')'),
  around('a quoted substitution', 'echo "$( ', ')"'),
  around('a process substitution', 'cat <( ', ')'),
  around('a default value', `echo "\${UNSET_NAME:-$( `, ')}"'),
  around('arithmetic', 'echo $(( $( ', ') + 1 ))'),
  around('the background', '{ ', '} &'),
  around('a pipe', 'echo x | { ', '}'),
  around('an unquoted here-document', 'cat <<END_OF_TEXT\n$( ', ')\nEND_OF_TEXT'),
  around('and', 'true && { ', '}'),
  around('or', 'false || { ', '}'),
]

/** The text is not run. `names`: a program may take words in it as files, so that the name of a secret counts. */
export const AS_DATA: readonly Spelling[] = [
  quoted('echo', 'echo '),
  quoted('printf into a file', "printf '%s\\n' ", ' > notes.md'),
  quoted('a commit message', 'git commit -m '),
  quoted('a commit message behind other words', 'git -C . commit -a -m '),
  quoted('a pull request', 'gh pr create --title x --body '),
  quoted('a search pattern', 'grep -rn -e ', ' docs'),
  quoted('rg', 'rg -n -e ', ' docs'),
  quoted('a history search', 'git log --oneline -S'),
  quoted('a test', '[ "$CHOSEN_NAME" = ', ' ] || true'),
  quoted('a value', 'CHOSEN_NAME=', '; echo "$CHOSEN_NAME"'),
  { ...quoted('jq', 'jq -n --arg c ', " '$c'"), names: true },
  quoted('a here-string', 'wc -c <<< '),
  quoted('the null command', ': '),
  hereDocument('a quoted here-document', 'cat > notes.md'),
  hereDocument('a here-document for nobody', ':'),
  { name: 'comments', spell: (command) => `${command.replace(/^/gm, '# ')}\nls` },
  {
    name: 'python',
    names: true,
    spell: (command) => `python3 -c ${singleQuoted(`print(${JSON.stringify(command)})`)}`,
  },
  {
    name: 'node',
    names: true,
    spell: (command) => `node -e ${singleQuoted(`console.log(${JSON.stringify(command)})`)}`,
  },
]

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quoted(name: string, before: string, after = ''): Spelling {
  return { name, spell: (command) => `${before}${singleQuoted(command)}${after}` }
}

function around(name: string, before: string, after: string): Spelling {
  return { name, spell: (command) => `${before}${command}\n${after}` }
}

/** The end mark becomes longer with each level, so that nested here-documents end correctly. */
function hereDocument(name: string, before: string, after = ''): Spelling {
  return {
    name,
    spell: (command) => {
      const mark = `END OF ${command.length}`
      return `${before} <<'${mark}'${after}\n${command}\n${mark}\n`
    },
  }
}
