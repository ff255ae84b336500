// The bill of materials of a VSIX, as CycloneDX: what npm says of the lock file, but for what does not ship.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

/** @param packages of shippedPackages() @returns JSON text */
export function sbomOf(packages) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell,
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`sbom: npm sbom ended with ${status}: ${stderr}`);
  const bom = JSON.parse(stdout);
  const ships = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = bom.components.filter((one) => ships.delete(idOf(one)));
  if (ships.size > 0) throw new Error(`sbom: npm does not know ${[...ships].join(', ')}, which ships`);
  const refs = new Set([bom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
  const { name } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const component = { ...bom.metadata.component, name }; // npm takes the folder's
  return `${JSON.stringify({ ...bom, metadata: { ...bom.metadata, component }, components, dependencies }, null, 2)}\n`;
}

const idOf = ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`;
