/** The scopes that GitHub gives to tokens. */
export const SCOPES: readonly string[] = [
  'repo',
  'repo:status',
  'repo_deployment',
  'public_repo',
  'repo:invite',
  'security_events',
  'admin:repo_hook',
  'write:repo_hook',
  'read:repo_hook',
  'admin:org',
  'write:org',
  'read:org',
  'manage_runners:org',
  'admin:public_key',
  'write:public_key',
  'read:public_key',
  'admin:org_hook',
  'gist',
  'notifications',
  'user',
  'read:user',
  'user:email',
  'user:follow',
  'project',
  'read:project',
  'delete_repo',
  'write:packages',
  'read:packages',
  'delete:packages',
  'admin:gpg_key',
  'write:gpg_key',
  'read:gpg_key',
  'admin:ssh_signing_key',
  'write:ssh_signing_key',
  'read:ssh_signing_key',
  'admin:enterprise',
  'manage_runners:enterprise',
  'manage_billing:enterprise',
  'read:enterprise',
  'site_admin',
  'codespace',
  'codespace:secrets',
  'copilot',
  'manage_billing:copilot',
  'workflow',
  'write:discussion',
  'read:discussion',
  'audit_log',
  'read:audit_log',
]

const DIRECTORY_SCOPE = 'admin.directory.user.security'

/** Whether this is the scope that the directory asks for, with the address of a host or without. */
export const isDirectoryScope = (scope: string): boolean =>
  scope === DIRECTORY_SCOPE || scope.endsWith(`/auth/${DIRECTORY_SCOPE}`)

/** Whether a token can have a scope of this name. */
export const isScope = (name: string): boolean => SCOPES.includes(name) || isDirectoryScope(name)
