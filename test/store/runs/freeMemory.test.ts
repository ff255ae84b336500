import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { readFreeMemory, type SystemFacts } from '../../../trainer/base/freeMemory';

const files = (contents: Record<string, string>): Pick<SystemFacts, 'read'> => ({
  read: (path) => contents[path] ?? null,
});
const machine: SystemFacts = { platform: 'linux', read: () => null, freemem: () => 111, vmStat: () => null };
const meminfo = 'MemTotal:       24684332 kB\nMemFree:          100000 kB\nMemAvailable:   2000000 kB\n';

describe('free memory', () => {
  it('here: more than nothing, not more than there is', () => {
    const { bytes, from } = readFreeMemory();
    assert.ok(bytes > 0 && bytes <= totalmem(), `${bytes} by ${from}`);
    if (process.platform === 'linux') assert.notEqual(from, 'os.freemem');
  });

  it('Linux: what is available, not what is free; without /proc what Node says', () => {
    assert.deepEqual(readFreeMemory({ ...machine, ...files({ '/proc/meminfo': meminfo }) }), {
      bytes: 2_000_000 * 1024,
      from: 'MemAvailable',
    });
    assert.deepEqual(readFreeMemory(machine), { bytes: 111, from: 'os.freemem' });
  });

  it("a container's limit where that leaves less: control groups v2", () => {
    const v2 = {
      '/proc/meminfo': meminfo,
      '/proc/self/cgroup': '0::/app/worker\n',
      '/sys/fs/cgroup/app/worker/memory.max': 'max\n',
      '/sys/fs/cgroup/app/worker/memory.current': '5\n',
      '/sys/fs/cgroup/app/memory.max': '1000000000\n',
      '/sys/fs/cgroup/app/memory.current': '900000000\n',
      '/sys/fs/cgroup/app/memory.stat': 'anon 1\ninactive_file 300000000\nslab 2\n',
    };
    assert.deepEqual(readFreeMemory({ ...machine, ...files(v2) }), {
      bytes: 400_000_000,
      from: "the control group's memory.max",
    }); // 1000 - 900 + 300 of cache
    assert.equal(
      readFreeMemory({ ...machine, ...files({ ...v2, '/sys/fs/cgroup/app/memory.max': '90000000000\n' }) }).from,
      'MemAvailable',
    );
    const over = readFreeMemory({ ...machine, ...files({ ...v2, '/sys/fs/cgroup/app/memory.max': '500000000\n' }) });
    assert.equal(over.bytes, 0, 'never less than nothing');
  });

  it('control groups v1, by the controller; a container that sees its own group as the root', () => {
    const v1 = {
      '/proc/meminfo': meminfo,
      '/proc/self/cgroup': '5:cpu,cpuacct:/\n4:memory:/docker/abc\n0::/\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': '800000000\n',
      '/sys/fs/cgroup/memory/memory.usage_in_bytes': '500000000\n',
      '/sys/fs/cgroup/memory/memory.stat': 'inactive_file 7\ntotal_inactive_file 100000000\n',
    };
    assert.deepEqual(readFreeMemory({ ...machine, ...files(v1) }), {
      bytes: 400_000_000,
      from: "the control group's memory.limit_in_bytes",
    });
    const none = readFreeMemory({
      ...machine,
      ...files({ ...v1, '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' }),
    });
    assert.equal(none.from, 'MemAvailable', 'the number that stands for no limit');
  });

  it('macOS: pages that would be given back count; elsewhere what Node says', () => {
    const vmStat =
      'Mach Virtual Memory Statistics: (page size of 16384 bytes)\nPages free:                               10.\nPages active:                             99.\nPages inactive:                           20.\nPages speculative:                         3.\nPages wired down:                         50.\nPages purgeable:                           4.\n';
    assert.deepEqual(readFreeMemory({ ...machine, platform: 'darwin', vmStat: () => vmStat }), {
      bytes: 37 * 16384,
      from: 'vm_stat',
    });
    assert.deepEqual(readFreeMemory({ ...machine, platform: 'darwin' }), { bytes: 111, from: 'os.freemem' });
    assert.deepEqual(readFreeMemory({ ...machine, platform: 'win32' }), { bytes: 111, from: 'os.freemem' });
  });
});
