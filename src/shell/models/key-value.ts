import { isSet, optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { certainly, isGiven, strongerOf, type VerbProgram, verbEffects } from '../arguments/verbs.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactForm, exactText, isWhollyUnknown, textWithHoles } from '../words/words.ts'
import { CONFIGURE, FLUSH, uncertain } from './key-value/acts.ts'
import { mongoEffects } from './key-value/mongo.ts'
import { QUEUES } from './key-value/queues.ts'
import { redisEffects } from './key-value/redis.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'

/** Stores of keys and of documents. */
export const keyValue: Model = {
  programs: [
    'redis-cli',
    'valkey-cli',
    'keydb-cli',
    'mongosh',
    'mongo',
    'etcdctl',
    'consul',
    'memcflush',
    ...QUEUES.keys(),
  ],
  effects(call) {
    const { name, command } = call
    if (name === 'mongosh' || name === 'mongo') return mongoCall(call)
    return name.endsWith('-cli')
      ? redisCall(call)
      : verbEffects(command, PROGRAMS.get(name) ?? QUEUES.get(name) ?? MEMCACHED)
  },
}

const FLUSHED = 'data-destroy key-value/flush'
const CONFIGURED = 'system-change key-value/configure'

export const cases: ModelCases = [
  ['redis-cli ping'],
  ['redis-cli -h cache.example.com GET session:1'],
  ['redis-cli DEL session:1'],
  ['redis-cli FLUSHALL', FLUSHED],
  ['redis-cli -h cache.example.com -p 6379 -n 1 -a secret flushdb async', FLUSHED],
  ['redis-cli -u redis://localhost flushall', FLUSHED],
  ['redis-cli $(echo FLUSHALL)', FLUSHED],
  ['echo FLUSHALL | redis-cli', FLUSHED],
  ["printf 'SELECT 1\\nFLUSHDB\\n' | redis-cli", FLUSHED],
  ['redis-cli <<< "GET a"'],
  ['redis-cli < commands.txt', `${FLUSHED} ?`],
  ['redis-cli -x SET page < index.html'],
  ['redis-cli SET note FLUSHALL'],
  ['redis-cli EVAL "redis.call(\'flushall\')" 0', FLUSHED],
  ['redis-cli EVAL "return redis.call(\'get\', KEYS[1])" 1 a'],
  ["redis-cli EVAL \"for _,k in ipairs(redis.call('keys','*')) do redis.call('del',k) end\" 0", FLUSHED],
  ["redis-cli KEYS '*' | xargs redis-cli DEL", FLUSHED],
  ["redis-cli --scan --pattern 'cache:*' | xargs redis-cli UNLINK"],
  ['redis-cli CONFIG GET dir'],
  ['redis-cli CONFIG SET dir /root/.ssh', CONFIGURED],
  ['redis-cli SHUTDOWN NOSAVE', CONFIGURED],
  ['redis-cli REPLICAOF example.com 6379', CONFIGURED],
  ['redis-cli $COMMAND', `${FLUSHED} ?`],
  ['redis-cli --help'],
  ['valkey-cli FLUSHALL', FLUSHED],
  ['keydb-cli info'],
  ["mongosh shop --eval 'db.users.find()'"],
  ["mongosh shop --eval 'db.dropDatabase()'", FLUSHED],
  ["mongosh shop --eval 'db.users.drop()'", FLUSHED],
  ['mongosh shop --eval \'db["users"]["drop"]()\'', FLUSHED],
  ["mongosh shop --eval 'db.users.deleteMany({})'", FLUSHED],
  ["mongosh shop --eval 'db.users.deleteMany({ age: 7 })'"],
  ["mongosh --quiet --eval 'db.runCommand({ dropDatabase: 1 })'", FLUSHED],
  ['mongosh --eval \'print("db.dropDatabase()")\''],
  ["echo 'db.dropDatabase()' | mongosh shop", FLUSHED],
  ['mongosh --eval "$CODE"', `${FLUSHED} ?`],
  ['mongosh shop seed.js'],
  ["mongo shop --eval 'db.users.remove({})'", FLUSHED],
  ['etcdctl get /app'],
  ['etcdctl del /app/one'],
  ['etcdctl --endpoints=https://example.com:2379 del / --prefix', FLUSHED],
  ["etcdctl del '' --from-key=true", FLUSHED],
  ['consul kv get app'],
  ['consul kv delete -recurse app', FLUSHED],
  ['memcflush --servers=localhost', FLUSHED],
  ["redis-cli --scan --pattern '*' | xargs redis-cli UNLINK", FLUSHED],
  ['kafka-topics.sh --list --bootstrap-server localhost:9092'],
  ['kafka-topics.sh --delete --topic orders --bootstrap-server localhost:9092', FLUSHED],
  ['kafka-topics --describe --topic orders'],
  ['rabbitmqctl list_queues'],
  ['rabbitmqctl purge_queue orders', FLUSHED],
  ['rabbitmqadmin delete queue name=orders', FLUSHED],
  ['nats stream ls'],
  ['nats stream purge orders -f', FLUSHED],
]

const REDIS = optionTable(`
  h= p= s= a|pass= n= r= i= u= user= d= D= X= t= pattern= count= cacert= cert= key= sni= eval= rdb=
  functions-rdb= cluster x c e raw tls insecure no-auth-warning pipe scan bigkeys stat latency ldb help
  version no-raw csv json askpass verbose hotkeys memkeys 2 3 show-pushes=
`)

function redisCall({ command, input }: ModelCall): readonly ActEffect[] {
  const read = readOptions(command.args, REDIS, { stopAtOperand: true })
  if (isSet(read, 'help') || isSet(read, 'version')) return []
  if (read.operands.length > 0) return redisEffects(read.operands, command.inputs ?? [])
  if (valuesOf(read, 'eval').length > 0 || isSet(read, 'scan')) return []
  const given = input()
  if (given.kind === 'none') return []
  if (given.kind !== 'text') return [uncertain(FLUSH, 'the commands it is given are not in the text')]
  const lines = given.forms.flatMap((form) => textWithHoles(form).split('\n'))
  return lines.flatMap((line) => redisEffects(line.trim().split(/\s+/), [])).slice(0, 1)
}

const MONGO = optionTable(`
  eval= f|file= h|host= port= u|username= p|password= authenticationDatabase= norc tls ssl quiet nodb help
  version json=? shell apiVersion= retryWrites
`)

function mongoCall({ command, input }: ModelCall): readonly ActEffect[] {
  const read = readOptions(command.args, MONGO)
  const given = input()
  const code = [
    ...valuesOf(read, 'eval').flatMap((word) => word.forms),
    ...(given.kind === 'text' ? given.forms : []),
  ]
  if (code.some(isWhollyUnknown)) return [uncertain(FLUSH, 'the code it runs is known only at run time')]
  return code.flatMap((form) => mongoEffects(exactForm(form) ?? textWithHoles(form))).slice(0, 1)
}

const ETCD: VerbProgram = {
  options: optionTable(`
    endpoints= cacert= cert= key= user= password= dial-timeout= command-timeout= w|write-out= prefix=?
    from-key=? recursive h|help range-end=
  `),
  rules: [
    {
      verbs: 'del',
      act: FLUSH,
      when: ({ read }) => strongerOf(isGiven(read, 'prefix'), isGiven(read, 'from-key')),
    },
    { verbs: 'rm|rmdir', act: FLUSH, when: ({ read }) => isGiven(read, 'recursive') },
    { verbs: 'snapshot restore', act: CONFIGURE },
  ],
}
const CONSUL: VerbProgram = {
  options: optionTable('http-addr= token= datacenter= recurse=? help cas modify-index='),
  singleDash: true,
  rules: [{ verbs: 'kv delete', act: FLUSH, when: ({ read }) => isGiven(read, 'recurse') }],
}
const MEMCACHED: VerbProgram = {
  options: optionTable('servers= username= password= help version'),
  rules: [
    { verbs: '', act: FLUSH, when: ({ command }) => certainly(exactText(command.args[0]) !== '--version') },
  ],
}
const PROGRAMS: ReadonlyMap<string, VerbProgram> = new Map([
  ['etcdctl', ETCD],
  ['consul', CONSUL],
])
