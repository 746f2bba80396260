import type { GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { givenInput } from '../../../../shell/walk/given-input.ts'
import { textWithHoles } from '../../../../shell/words/words.ts'
import { actGuard } from '../../act-guard.ts'
import { commandsOf, detector } from '../../shell-guard.ts'

export const keyValueFlush = actGuard({
  id: 'safety/data/key-value-flush',
  title: 'Emptying a key or document store',
  why: 'Every application that uses the store loses its sessions, queues and documents at once.',
  instead: 'delete single keys by name (`redis-cli DEL session:1`), or let the user do it.',
  acts: ['key-value/flush'],
  mentions: /flush(all|db)|dropDatabase|\.drop\(|deleteMany|\b(redis-cli|mongosh|etcdctl)\b/i,
  maybe: 'may empty a key or document store',
  also: [detector(commandsOf(new Set(['nc', 'ncat', 'netcat', 'telnet', 'socat'])), overSocket)],
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'redis-cli FLUSHALL',
      'redis-cli flushdb',
      'redis-cli -h cache.example.com -p 6380 -a secret -n 2 FLUSHDB ASYNC',
      'redis-cli -u redis://cache.example.com/0 flushall',
      'echo FLUSHALL | redis-cli',
      "printf 'FLUSHALL\\r\\n' | redis-cli -h cache.example.com",
      'redis-cli <<< FLUSHALL',
      'redis-cli $(echo FLUSHALL)',
      'redis-cli < commands.txt',
      "redis-cli KEYS '*' | xargs redis-cli DEL",
      'redis-cli EVAL "redis.call(\'FLUSHALL\')" 0',
      'redis-cli F"LUSH"ALL',
      'redis-cli "$CMD"',
      "printf 'FLUSHALL\\r\\n' | nc localhost 6379",
      'echo flush_all | nc localhost 11211',
      'valkey-cli FLUSHALL',
      "mongosh shop --eval 'db.dropDatabase()'",
      "mongosh shop --quiet --eval 'db.users.drop()'",
      "mongosh shop --eval 'db.users.deleteMany({})'",
      "mongosh shop <<< 'db.dropDatabase()'",
      'mongo shop --eval \'db.getCollection("users").remove({})\'',
      'etcdctl del / --prefix',
      'consul kv delete -recurse app/',
      'memcflush --servers=localhost',
    ],
    passes: [
      'redis-cli ping',
      'redis-cli GET flushall',
      'redis-cli SET job FLUSHALL',
      'redis-cli DEL session:1',
      'redis-cli --scan --pattern "cache:*"',
      'redis-cli -h cache.example.com info memory',
      "redis-cli KEYS 'session:*'",
      'redis-cli --help',
      'echo PING | redis-cli',
      'echo PING | nc localhost 6379',
      'echo FLUSHALL | tee notes.txt',
      'redis-cli -x SET page < index.html',
      "mongosh shop --eval 'db.users.find().limit(5)'",
      "mongosh shop --eval 'db.users.deleteMany({ expired: true })'",
      'mongosh shop --eval \'print("dropDatabase")\'',
      'mongosh shop seed.js',
      'etcdctl get / --prefix --keys-only',
      'etcdctl del /app/one',
      'consul kv get app/one',
      'mongodump --db shop',
    ],
  },
})

/** Such stores also accept commands over a plain network connection. */
function overSocket(command: SimpleCommand): GuardMatch | null {
  const given = givenInput(command)
  const said = given.kind === 'text' && given.forms.some((form) => FLUSHES.test(textWithHoles(form)))
  return said ? { caught: 'empties a key store', fragment: command.fragment } : null
}

const FLUSHES = /(^|\n|\\n)\s*(flushall|flushdb|flush_all)\b/i
