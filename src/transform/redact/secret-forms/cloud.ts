import { form, type SecretForm } from './form.ts'

const GRAFANA = 'https://grafana.com/docs/grafana/latest/administration/service-accounts/'
const VAULT = 'https://developer.hashicorp.com/vault/docs/concepts/tokens'
const FLY = 'https://fly.io/docs/security/tokens/'
const GOOGLE = 'https://developers.google.com/identity/protocols/oauth2'
const NEW_RELIC = 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/'
const SUPABASE = 'https://supabase.com/docs/guides/api/api-keys'
const YANDEX = 'https://yandex.com/dev/id/doc/en/'

/** Tokens of clouds and databases, and of programs that run and guard what is there. */
export const CLOUD: readonly SecretForm[] = [
  ...form(
    '1password-token',
    ['ops_ey'],
    '[A-Za-z0-9+/=]{100,1280}',
    'https://developer.1password.com/docs/service-accounts/security/',
  ),
  ...form(
    'age-key',
    ['AGE-SECRET-KEY-1'],
    '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}',
    'https://age-encryption.org/v1',
  ),
  ...form(
    'alibaba-key',
    ['LTAI'],
    '[A-Za-z0-9]{12,26}',
    'https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair',
  ),
  ...form(
    'aws-bedrock-key',
    ['ABSK'],
    '[A-Za-z0-9+/]{109,269}={0,2}',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
  ),
  ...form(
    'aws-key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    '[A-Z0-9]{16}',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
  ),
  ...form(
    'cloudflare-token',
    ['cfk_', 'cfut_', 'cfat_'],
    '[A-Za-z0-9]{40}[0-9a-f]{8}',
    'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
  ),
  ...form(
    'databricks-token',
    ['dapi'],
    '[A-Fa-f0-9]{32}(?:-\\d)?',
    'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
  ),
  ...form(
    'digitalocean-token',
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    '[0-9a-f]{64}',
    'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
  ),
  ...form(
    'doppler-token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.', 'dp.said.'],
    '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
    'https://docs.doppler.com/reference/auth-token-formats',
  ),
  ...form(
    'dynatrace-token',
    ['dt0c01.', 'dt0s01.', 'dt0s02.', 'dt0s03.', 'dt0s04.', 'dt0s06.', 'dt0s08.', 'dt0s16.'],
    '[A-Z0-9]{8,24}\\.[A-Z0-9]{64}',
    'https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients',
  ),
  ...form('fly-token', ['fo1_'], '[A-Za-z0-9_-]{43}', FLY),
  ...form('fly-token', ['fm1a_', 'fm1r_', 'fm2_'], '[A-Za-z0-9+/]{100,1000}={0,3}', FLY),
  ...form('google-client-secret', ['GOCSPX-'], '[A-Za-z0-9_-]{28}', GOOGLE),
  ...form(
    'google-key',
    ['AIza'],
    '[A-Za-z0-9_-]{35}',
    'https://cloud.google.com/docs/authentication/api-keys',
  ),
  ...form('google-token', ['ya29.'], '[A-Za-z0-9_-]{20,1000}', GOOGLE),
  ...form('google-token', ['1//0'], '[A-Za-z0-9_-]{30,500}', GOOGLE),
  ...form('grafana-key', ['eyJrIjoi'], '[A-Za-z0-9]{50,400}={0,2}', GRAFANA),
  ...form('grafana-token', ['glc_'], '[A-Za-z0-9+/]{32,400}={0,2}', GRAFANA),
  ...form('grafana-token', ['glsa_'], '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}', GRAFANA),
  ...form(
    'heroku-key',
    ['HRKU-'],
    '(?:AA[A-Za-z0-9_-]{58}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})',
    'https://devcenter.heroku.com/articles/authentication',
  ),
  ...form(
    'infracost-key',
    ['ico-'],
    '[A-Za-z0-9]{32}',
    'https://www.infracost.io/docs/features/environment_variables/',
  ),
  ...form(
    'launchdarkly-key',
    ['api-', 'sdk-'],
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'https://launchdarkly.com/docs/home/account/api',
  ),
  ...form(
    'mongodb-secret',
    ['mdb_sa_sk_'],
    '[A-Za-z0-9_-]{40}',
    'https://www.mongodb.com/docs/atlas/api/service-accounts-overview/',
  ),
  ...form('neon-key', ['napi_'], '[a-z0-9]{64}', 'https://neon.com/docs/manage/api-keys'),
  ...form(
    'netlify-token',
    ['nfp_', 'nfc_', 'nfo_', 'nfu_'],
    '[A-Za-z0-9_]{36}',
    'https://docs.netlify.com/api/get-started/',
  ),
  ...form('new-relic-key', ['NRAK-'], '[A-Z0-9]{27}', NEW_RELIC),
  ...form('new-relic-key', ['NRII-'], '[A-Za-z0-9_-]{32}', NEW_RELIC),
  ...form('new-relic-key', ['NRJS-'], '[0-9a-f]{19}', NEW_RELIC),
  ...form(
    'planetscale-token',
    ['pscale_pw_', 'pscale_tkn_', 'pscale_oauth_'],
    '[A-Za-z0-9_.=-]{32,64}',
    'https://planetscale.com/docs/api/reference/service-tokens',
  ),
  ...form(
    'prefect-key',
    ['pnu_', 'pnb_'],
    '[A-Za-z0-9]{36}',
    'https://docs.prefect.io/v3/manage/cloud/manage-users/api-keys',
  ),
  ...form(
    'pulumi-token',
    ['pul-'],
    '[0-9a-f]{40}',
    'https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/',
  ),
  ...form('supabase-key', ['sb_secret_'], '[A-Za-z0-9_-]{20,60}', SUPABASE),
  ...form('supabase-token', ['sbp_'], '(?:v0_)?[0-9a-f]{40}', SUPABASE),
  ...form(
    'tailscale-key',
    ['tskey-'],
    '[a-z]{2,20}-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}',
    'https://tailscale.com/kb/1085/auth-keys',
  ),
  ...form(
    'tencent-key',
    ['AKID'],
    '[A-Za-z0-9]{32}',
    'https://www.tencentcloud.com/document/product/598/34228',
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
    'yandex-key',
    ['AQVN'],
    '[A-Za-z0-9_-]{35,38}',
    'https://yandex.cloud/en/docs/iam/concepts/authorization/api-key',
  ),
  ...form('yandex-token', ['y0_', 'y1_', 'y2_', 'y3_'], '[A-Za-z0-9_-]{40,80}', YANDEX),
]
