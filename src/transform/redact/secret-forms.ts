/** A form of secrets that a host has published. */
export interface SecretForm {
  /** Its name in marks and reports. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** The characters that follow, as a pattern of bounded length. */
  readonly body: string
  /** Where the form is documented. */
  readonly source: string
}

const form = (
  name: string,
  prefixes: readonly string[],
  body: string,
  source: string,
): SecretForm[] => prefixes.map((prefix) => ({ name, prefix, body, source }))

const GITHUB =
  'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/'
const GRAFANA = 'https://grafana.com/docs/grafana/latest/administration/service-accounts/'
const VAULT = 'https://developer.hashicorp.com/vault/docs/concepts/tokens'

/** Tokens with a prefix of their own. A text is never taken for a secret because it looks random. */
export const SECRETS: readonly SecretForm[] = [
  ...form('github-token', ['ghp_', 'gho_', 'ghu_', 'ghr_'], '[A-Za-z0-9]{36,255}', GITHUB),
  // Tokens of installations may also have the id of the app and a JSON web token.
  ...form(
    'github-token',
    ['ghs_'],
    '(?:[A-Za-z0-9]{36,255}|\\d{1,20}_[\\w-]{1,1000}\\.[\\w-]{1,10000}\\.[\\w-]{1,1000})',
    GITHUB,
  ),
  ...form('github-token', ['github_pat_'], '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}', GITHUB),
  ...form(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glsoat-', 'glft-', 'glagent-'],
    '[A-Za-z0-9_.-]{20,300}',
    'https://docs.gitlab.com/security/tokens/',
  ),
  ...form(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe-', 'xapp-'],
    '[A-Za-z0-9-]{10,250}',
    'https://docs.slack.dev/authentication/tokens/',
  ),
  ...form(
    'aws-key',
    ['AKIA', 'ASIA'],
    '[A-Z0-9]{16}',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
  ),
  ...form(
    'google-key',
    ['AIza'],
    '[A-Za-z0-9_-]{35}',
    'https://cloud.google.com/docs/authentication/api-keys',
  ),
  ...form('npm-token', ['npm_'], '[A-Za-z0-9]{36}', 'https://docs.npmjs.com/about-access-tokens'),
  ...form(
    'stripe-key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    '[A-Za-z0-9]{16,247}',
    'https://docs.stripe.com/keys',
  ),
  ...form(
    'sendgrid-key',
    ['SG.'],
    '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}',
    'https://www.twilio.com/docs/sendgrid',
  ),
  ...form(
    'digitalocean-token',
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    '[0-9a-f]{64}',
    'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
  ),
  ...form(
    'hugging-face-token',
    ['hf_'],
    '[A-Za-z0-9]{34,40}',
    'https://huggingface.co/docs/hub/security-tokens',
  ),
  ...form(
    'pypi-token',
    ['pypi-'],
    'AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}',
    'https://pypi.org/help/#apitoken',
  ),
  ...form(
    'shopify-token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    '[0-9a-zA-Z]{32,64}',
    'https://shopify.dev/docs/apps/build/authentication-authorization',
  ),
  ...form(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    '[A-Za-z0-9_-]{40,200}',
    'https://platform.openai.com/docs/api-reference/authentication',
  ),
  ...form(
    'anthropic-key',
    ['sk-ant-'],
    '[A-Za-z0-9_-]{40,200}',
    'https://docs.anthropic.com/en/api/getting-started',
  ),
  ...form(
    'groq-key',
    ['gsk_'],
    '[A-Za-z0-9]{52}',
    'https://github.com/secretlint/secretlint/tree/master/packages/%40secretlint/secretlint-rule-groq',
  ),
  ...form('linear-key', ['lin_api_'], '[A-Za-z0-9_]{32,128}', 'https://linear.app/developers'),
  ...form(
    'notion-token',
    ['ntn_'],
    '\\d{11}[A-Za-z0-9]{35}',
    'https://developers.notion.com/docs/authorization',
  ),
  ...form('grafana-token', ['glc_'], '[A-Za-z0-9+/]{32,400}={0,2}', GRAFANA),
  ...form('grafana-token', ['glsa_'], '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}', GRAFANA),
  ...form(
    '1password-token',
    ['ops_ey'],
    '[A-Za-z0-9+/=]{100,1280}',
    'https://developer.1password.com/docs/service-accounts/security/',
  ),
  ...form('vault-token', ['hvs.', 'hvr.'], '[A-Za-z0-9_-]{90,120}', VAULT),
  ...form('vault-token', ['hvb.'], '[A-Za-z0-9_-]{138,300}', VAULT),
  ...form(
    'vercel-token',
    ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    '[A-Za-z0-9]{20,60}',
    'https://vercel.com/docs/accounts/access-tokens',
  ),
  ...form(
    'databricks-token',
    ['dapi'],
    '[A-Fa-f0-9]{32}(?:-\\d)?',
    'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
  ),
  ...form(
    'docker-token',
    ['dckr_pat_'],
    '[A-Za-z0-9_-]{27}',
    'https://docs.docker.com/security/access-tokens/',
  ),
  ...form(
    'figma-token',
    ['figd_'],
    '[A-Za-z0-9_-]{40,200}',
    'https://developers.figma.com/docs/rest-api/authentication/',
  ),
  ...form(
    'cloudflare-token',
    ['cfk_', 'cfut_', 'cfat_'],
    '[A-Za-z0-9]{40}[0-9a-f]{8}',
    'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
  ),
  ...form(
    'tailscale-key',
    ['tskey-'],
    '[a-z]{2,20}-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}',
    'https://tailscale.com/kb/1085/auth-keys',
  ),
  ...form(
    'telegram-token',
    ['bot'],
    '\\d{8,10}:[A-Za-z0-9_-]{35}',
    'https://core.telegram.org/bots/api',
  ),
]
