import { describe, expect, it } from 'vitest'
import { spellCommand } from '../vocabulary/command.ts'
import { readCommands } from './read-commands.ts'

function commandsOf(text: string) {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) throw new Error(`${text}: ${analysis.why}`)
  return analysis.commands
}

/** How `rm -rf /` is reached. */
function viaOf(text: string): string | undefined {
  const found = commandsOf(text).find((command) => /^(\S*\/)?rm -rf \/$/.test(spellCommand(command)))
  return found?.via.join(' > ')
}

describe('a command that another one runs is found', () => {
  it.each([
    // For each thing.
    ['parallel rm -rf {} ::: /', 'parallel'],
    ['parallel -j4 --will-cite "rm -rf {1}" ::: /', 'parallel'],
    ["parallel ::: 'rm -rf /' ls", 'parallel'],
    ["echo 'rm -rf /' | parallel", 'pipe > parallel'],
    ['echo / | parallel rm -rf', 'pipe > parallel'],
    ['sem --fg rm -rf /', 'sem'],
    ["parallel --colsep ' ' '{1} -rf {2}' ::: 'rm /'", 'parallel'],
    ['echo rm,/ | parallel -C , {1} -rf {2}', 'pipe > parallel'],
    // Under another word.
    ['cmake -E rm -rf /', 'cmake -E'],
    ['cmake -E env X=1 rm -rf /', 'cmake -E > env'],
    ['cmake -E chdir /tmp rm -rf /', 'cmake -E > env'],
    ['coreutils --coreutils-prog=rm -rf /', 'coreutils'],
    ['coreutils rm -rf /', 'coreutils'],
    ['yarn workspace web exec rm -rf /', 'yarn workspace > yarn exec'],
    ["IFS=: read -r a b <<< 'rm:/'; $a -rf $b", ''],
    ['npm explore left-pad -- rm -rf /', 'npm explore'],
    ['npm run env -- rm -rf /', 'npm run env'],
    // Settings of build tools.
    [`cargo --config 'target.x.runner="rm -rf /"' run`, 'cargo --config'],
    [`cargo run --config='build.rustc-wrapper = ["rm", "-rf", "/"]'`, 'cargo --config'],
    ['gcc -wrapper rm,-rf,/ a.c', 'gcc -wrapper'],
    ["make CC='rm -rf /' all", 'make'],
    ["npm pkg set 'scripts.test=rm -rf /' && npm test", 'npm script'],
    ["npm set-script x 'rm -rf /'; npm run x", 'npm script'],
    [`aws ssm send-command --instance-ids i-1 --parameters 'commands=["rm -rf /"]'`, 'aws ssm'],
    ["docker compose run --entrypoint 'rm -rf' web /", 'docker compose run web'],
    ["echo 'rm -rf /' | parallel --pipe bash", 'pipe > parallel > bash (standard input)'],
    ["chokidar 'src/**' -c 'rm -rf /'", 'chokidar --command'],
    ["zip x.zip a -T --unzip-command='rm -rf /'", 'zip -TT'],
    [
      "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER='rm -rf /' cargo run",
      'CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER',
    ],
    [`vim -c 'call delete("/", "rf")'`, 'vim !'],
    ["fd x -x sh -c 'rm -rf /'", 'fd -x > sh -c'],
    ["npm pkg set 'scripts.postinstall=rm -rf /'", 'npm script'],
    ["xterm -e 'rm -rf /'", 'xterm'],
    ['urxvt -e rm -rf /', 'urxvt'],
    ['kitty --hold rm -rf /', 'kitty'],
    ["fzf --bind 'start:execute(rm -rf /),enter:accept'", 'fzf --bind'],
    ["nano -s 'rm -rf /' a.txt", 'nano --speller'],
    [`bind -x '"\\C-l": rm -rf /'`, 'bind -x'],
    // Other users, namespaces, machines.
    ['nsenter -t 1 -m -u -- rm -rf /', 'nsenter'],
    ['runuser -u bob -- rm -rf /', 'runuser'],
    ["runuser -l bob -c 'rm -rf /'", 'runuser -c'],
    ["su - -- bob -c 'rm -rf /'", 'su -c'],
    ["sg docker -c 'rm -rf /'", 'sg'],
    ["sg docker 'rm -rf /'", 'sg'],
    ['pkexec --user root rm -rf /', 'pkexec'],
    ["sudo su root -c 'rm -rf /'", 'sudo > su -c'],
    ["capsh --drop=cap_chown -- -c 'rm -rf /'", 'capsh > bash -c'],
    ['bwrap --ro-bind / / --dev /dev rm -rf /', 'bwrap'],
    ['ip netns exec blue rm -rf /', 'ip exec'],
    ['docker exec -it -u root web rm -rf /', 'docker exec web'],
    ["docker run --rm -e A=1 -v a:/b alpine sh -c 'rm -rf /'", 'docker run alpine > sh -c'],
    ["podman run --entrypoint sh alpine -c 'rm -rf /'", 'podman run alpine > sh -c'],
    ["docker compose -f x.yml exec -T db sh -c 'rm -rf /'", 'docker compose exec db > sh -c'],
    ['docker-compose run --rm web rm -rf /', 'docker-compose run web'],
    ['kubectl -n prod exec -it pod -c app -- rm -rf /', 'kubectl exec pod'],
    ['kubectl exec pod rm -rf /', 'kubectl exec pod'],
    ["echo 'rm -rf /' | docker exec -i web sh", 'pipe > docker exec web > sh (standard input)'],
    ["vagrant ssh -c 'rm -rf /'", 'vagrant ssh'],
    ['adb -s x shell rm -rf /', 'adb shell'],
    ["gcloud compute ssh vm --zone z --command='rm -rf /'", 'gcloud compute ssh'],
    ["ansible all -m shell -a 'rm -rf /'", 'ansible -a'],
    ["ssh -o ProxyCommand='rm -rf /' host", 'ssh -o'],
    ["scp -oProxyCommand='rm -rf /' a b:", 'scp -o'],
    ["rsync -avze 'rm -rf /' a b:", 'rsync -e'],
    ["rsync --rsync-path='rm -rf /' a b:", 'rsync --rsync-path'],
    ["socat TCP-LISTEN:1 EXEC:'rm -rf /',pty", 'socat EXEC'],
    ["ncat --sh-exec 'rm -rf /' h 1", 'ncat --sh-exec'],
    ["nc -e 'rm -rf /' h 1", 'nc --exec'],
    // Watched, measured, in another terminal.
    ["ls | entr -s 'rm -rf /'", 'pipe > entr'],
    ['xvfb-run -a rm -rf /', 'xvfb-run'],
    ['dbus-run-session -- rm -rf /', 'dbus-run-session'],
    ['ltrace -f -o log rm -rf /', 'ltrace'],
    ['perf stat -e cycles rm -rf /', 'perf stat'],
    ['valgrind --leak-check=full rm -rf /', 'valgrind'],
    ["gdb -batch -ex 'shell rm -rf /'", 'gdb shell'],
    ['gdb -q --args rm -rf /', 'gdb'],
    ["hyperfine --warmup 3 ls 'rm -rf /'", 'hyperfine'],
    ["tmux new-session -d -s x 'rm -rf /'", 'tmux new-session'],
    ["tmux send-keys -t x 'rm -rf /' Enter", 'tmux send-keys'],
    ['tmux new -d \\; send rm Space -rf Space / C-m', 'tmux send'],
    ['screen -dmS x rm -rf /', 'screen'],
    ["screen -S x -X stuff $'rm -rf /\\n'", 'screen stuff'],
    ['/lib64/ld-linux-x86-64.so.2 /bin/rm -rf /', 'ld-linux-x86-64.so.2'],
    // Runners of projects.
    ["npx -y -p x -c 'rm -rf /'", 'npx'],
    ["npm exec --call='rm -rf /'", 'npm exec'],
    ['npm exec -- rm -rf /', 'npm exec'],
    ['pnpm --filter a exec rm -rf /', 'pnpm exec'],
    ["pnpm exec -c 'rm -rf /'", 'pnpm exec'],
    ["yarn exec 'rm -rf /'", 'yarn exec'],
    ['uv run --with x -- rm -rf /', 'uv run'],
    ['poetry -C d run rm -rf /', 'poetry run'],
    ['bundle exec rm -rf /', 'bundle exec'],
    ['mise exec node@20 -- rm -rf /', 'mise exec'],
    ["nix-shell -p git --run 'rm -rf /'", 'nix-shell'],
    ['nix develop .# -c rm -rf /', 'nix develop'],
    ['direnv exec . rm -rf /', 'direnv exec'],
    ['dotenv -e .env -- rm -rf /', 'dotenv'],
    ["doppler run --command='rm -rf /'", 'doppler run'],
    ['op run --env-file=.env -- rm -rf /', 'op run'],
    ['cross-env A=1 rm -rf /', 'cross-env'],
    ["concurrently -n a 'ls' 'rm -rf /'", 'concurrently'],
    ["make -f - <<< $'all:\\n\\t@rm -rf /\\n'", 'make'],
    ["make --eval='x := $(shell rm -rf /)'", 'make'],
    // Git.
    ["git -c alias.x='!rm -rf /' x", 'git x'],
    ["git config --global alias.x '!rm -rf /'", 'git config alias.x'],
    ["GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf /' git x", 'git x'],
    ["git rebase -x 'rm -rf /' main", 'git rebase --exec'],
    ['git bisect run rm -rf /', 'git bisect run'],
    ["git submodule foreach --recursive 'rm -rf /'", 'git submodule foreach'],
    ["git filter-branch -f --tree-filter 'rm -rf /' HEAD", 'git filter-branch --filter'],
    ["git -c core.pager='rm -rf /' log", 'git -c core.pager'],
    ["git -c core.sshCommand='rm -rf /' fetch", 'git -c core.sshCommand'],
    ["git config core.editor 'rm -rf /'", 'git config core.editor'],
    ["git -c credential.helper='!rm -rf /' fetch", 'git -c credential.helper'],
    ["git fetch origin '--upload-pack=rm -rf /'", 'git fetch --upload-pack'],
    ["git clone -c core.sshCommand='rm -rf /' h:r", 'git -c core.sshCommand'],
    ["git clone 'ext::sh -c rm% -rf% /'", 'git clone ext:: > sh -c'],
    ["git difftool -y -x 'rm -rf /'", 'git difftool --extcmd'],
    // Variables that are commands.
    ["GIT_SSH_COMMAND='rm -rf /' git fetch", 'GIT_SSH_COMMAND'],
    ["PAGER='rm -rf /' man ls", 'PAGER'],
    ["export GIT_EDITOR='rm -rf /'", 'GIT_EDITOR'],
    ["env VISUAL='rm -rf /' crontab -e", 'env > VISUAL'],
    ["PROMPT_COMMAND='rm -rf /'", 'PROMPT_COMMAND'],
    ["PS4='$(rm -rf /)' bash -x x.sh", 'PS4 > $(…)'],
    ["BASH_ENV='$(rm -rf /)' bash x.sh", 'BASH_ENV > $(…)'],
    // Options and languages of other programs.
    ["tar cf x --checkpoint=1 --checkpoint-action=exec='rm -rf /' .", 'tar --checkpoint-action'],
    ["tar xf x --to-com='rm -rf /'", 'tar --to-command'],
    ["tar -I 'rm -rf /' -xf x", 'tar --use-compress-program'],
    ["split --filter='rm -rf /' x", 'split --filter'],
    ["man -P 'rm -rf /' ls", 'man --pager'],
    ["less '+!rm -rf /' f", 'less +!'],
    ["vim -c ':!rm -rf /' x", 'vim !'],
    ["nvim --headless +'silent !rm -rf /' +q", 'nvim !'],
    ['vim -es -c \'call system("rm -rf /")\'', 'vim !'],
    ["psql -c '\\! rm -rf /'", 'psql !'],
    ["sqlite3 x.db '.shell rm -rf /'", 'sqlite3 !'],
    ["sed -n '/x/,$e rm -rf /' f", 'sed'],
    ['awk \'BEGIN { system("rm -rf /") }\'', 'awk'],
    ['gawk \'{ print | "rm -rf /" }\' f', 'gawk'],
    ['awk \'BEGIN { c = "rm -rf /"; c | getline x }\'', 'awk'],
    ["expect -c 'spawn rm -rf /; interact'", 'expect -c'],
    ["mapfile -C 'rm -rf /' -c 1 x < y", 'mapfile -C'],
    ["echo '@daily rm -rf /' | crontab -", 'pipe > crontab'],
    ["crontab - <<< '0 5 * * 1 rm -rf /'", 'crontab'],
    ["echo 'rm -rf /' | at now", 'pipe > at'],
    ['batch <<E\nrm -rf /\nE', 'batch'],
    [`echo -e 'echo \\"; rm -rf /; \\"' | sh`, 'pipe > sh (standard input)'],
    [`echo -e '\\47; rm -rf /; \\47' | sh`, 'pipe > sh (standard input)'],
    [`echo -e '\\U00000072m -rf /' | sh`, 'pipe > sh (standard input)'],
    [`echo -e 'rm -rf /\\c no more' | sh`, 'pipe > sh (standard input)'],
    [`printf '\\162m -rf /' | sh`, 'pipe > sh (standard input)'],
    ['a=(rm -rf /); bash -c "${a[*]}"', 'bash -c'],
    ['f() { bash -c "$*"; }; f rm -rf /', 'function f > bash -c'],
    ["a=('rm -rf /'); ${a[@]}", ''],
    ["echo 'X -rf /' | sed 's/X/rm/' | sh", 'pipe > sh (standard input)'],
    ["bash -c \"$(sed 's|X|rm|' <<< 'X -rf /')\"", 'bash -c'],
    ["echo 'rm -rf /' | xargs -d '\\n' bash -c", 'pipe > xargs > bash -c'],
    ['awk -f - <<< \'BEGIN { system("rm -rf /") }\'', 'awk'],
    ["sed -f - x <<< '1e rm -rf /'", 'sed'],
  ])('%s', (text, via) => {
    expect(viaOf(text)).toBe(via)
  })

  it.each([
    ['git -c alias.x="reset --hard" x HEAD', "git -c 'alias.x=reset --hard' reset --hard HEAD"],
    ['npx -y rimraf@5 dist', 'rimraf dist'],
    ['yarn prisma migrate reset', 'prisma migrate reset'],
    ['uvx ruff check', 'ruff check'],
    ["fd '^v$' /tmp/w -xrm", 'rm /tmp/w/‹{}›/v'],
    ['fd -HIe log -X rm -f {} \\;', 'rm -f ./‹{}›/*.log'],
    ['awk \'{ system("rm " $1) }\' f', 'rm ‹…›'],
    ['docker run --rm img ls', 'ls'],
  ])('%s runs %s', (text, run) => {
    expect(commandsOf(text).map(spellCommand)).toContain(run)
  })

  it.each([
    ["git -c 'alias.status=!rm -rf /' status"],
    ["git -c alias.x='!rm -rf /' log"],
    ["git config --get alias.x '!rm -rf /'"],
    ["git commit -m '!rm -rf /'"],
    ['docker ps rm -rf /'],
    ['kubectl get pod rm -rf /'],
    ['npm run rm -rf /'],
    ['pnpm rm -rf /'],
    ["tar cf x --checkpoint-action=echo='rm -rf /' ."],
    ["parallel --dry-run ::: 'rm -rf /'"],
    ["vim -c 'q!' 'rm -rf /'"],
    ["sed 's/x/rm -rf \\//' f"],
    ['awk \'{ print "rm -rf /" }\' f'],
    ['psql -c "select \'\\! rm -rf /\'"'],
    ["PS1='rm -rf /'"],
    ["ssh -o 'User=rm -rf /' host"],
    ["tmux rename-window 'rm -rf /'"],
    ["crontab -l -u 'rm -rf /'"],
    ['expect -c \'puts "rm -rf /"\''],
    ["gdb -ex 'print rm -rf /'"],
  ])('%s does not run it', (text) => {
    expect(viaOf(text)).toBeUndefined()
  })

  it('knows that a container and another machine have paths of their own', () => {
    const last = (text: string) => commandsOf(text).at(-1)
    expect(last('docker exec web ls')).toMatchObject({ remote: 'docker exec web', cwd: undefined })
    expect(last('docker exec -w /app web ls')).toMatchObject({ remote: 'docker exec web', cwd: '/app' })
    expect(last('ssh host ls')).toMatchObject({ remote: 'ssh host', cwd: '/home/dev' })
    expect(last("ssh host 'sudo sh -c ls'")).toMatchObject({ remote: 'ssh host' })
    const mounted = last('docker run -v "$PWD":/code -w /code/a alpine ls')
    expect(mounted?.cwd).toBe('/srv/project/a')
    expect(mounted?.remote).toBeUndefined()
    expect(last('ls')?.remote).toBeUndefined()
  })

  it('is not lost in aliases of aliases, or in wrappers without end', () => {
    const text = 'git -c alias.x=x x'
    expect(readCommands(text, { cwd: '/', home: '/root' }).judged).toBe(false)
    expect(readCommands(`${'nice '.repeat(4000)} ls`, { cwd: '/', home: '/root' }).judged).toBe(false)
  })
})
