import { form, type SecretForm } from './form.ts'

const GRAFANA = 'https://grafana.com/docs/grafana/latest/administration/service-accounts/'
const VAULT = 'https://developer.hashicorp.com/vault/docs/concepts/tokens'
const NEW_RELIC = 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/'

/** Tokens of what watches, configures and guards programs that run. */
export const OPERATIONS: readonly SecretForm[] = [
  ...form(
    '1password-key',
    ['A3-'],
    '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
    'https://support.1password.com/secret-key/',
  ),
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
    'age-key',
    ['AGE-SECRET-KEY-PQ-1'],
    '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}',
    'https://c2sp.org/age',
  ),
  ...form(
    'axiom-token',
    ['xaat-', 'xapt-'],
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'https://axiom.co/docs/reference/tokens',
  ),
  ...form(
    'checkly-key',
    ['cu_'],
    '[0-9a-f]{32}',
    'https://www.checklyhq.com/docs/cli/authentication/',
  ),
  ...form(
    'defined-key',
    ['dnkey-'],
    '[A-Za-z0-9]{26}-[A-Za-z0-9]{52}',
    'https://docs.defined.net/guides/automating-host-creation/',
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
  ...form('grafana-key', ['eyJrIjoi'], '[A-Za-z0-9]{50,400}={0,2}', GRAFANA),
  ...form('grafana-token', ['glc_'], '[A-Za-z0-9+/]{32,400}={0,2}', GRAFANA),
  ...form('grafana-token', ['glsa_'], '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}', GRAFANA),
  ...form(
    'honeycomb-key',
    ['hcaik_', 'hcbik_', 'hcxik_', 'hcxmk_'],
    '[0-9a-z]{56,60}',
    'https://docs.honeycomb.io/configure/environments/manage-api-keys/',
  ),
  ...form(
    'infisical-token',
    ['st.'],
    '[0-9a-f]{24}\\.[0-9a-f]{32}\\.[0-9a-f]{32}',
    'https://infisical.com/docs/documentation/platform/token',
  ),
  ...form(
    'infracost-key',
    ['ico-'],
    '[A-Za-z0-9]{32}',
    'https://www.infracost.io/docs/features/environment_variables/',
  ),
  ...form(
    'inngest-key',
    ['signkey-'],
    '[a-z]{3,10}-[0-9a-f]{32,64}',
    'https://www.inngest.com/docs/platform/signing-keys',
  ),
  ...form(
    'launchdarkly-key',
    ['api-', 'sdk-'],
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'https://launchdarkly.com/docs/home/account/api',
  ),
  ...form(
    'logfire-token',
    ['pylf_v'],
    '\\d_[a-z]{2}_[A-Za-z0-9]{43}',
    'https://logfire.pydantic.dev/docs/how-to-guides/create-write-tokens/',
  ),
  ...form('new-relic-key', ['NRAK-'], '[A-Z0-9]{27}', NEW_RELIC),
  ...form('new-relic-key', ['NRII-'], '[A-Za-z0-9_-]{32}', NEW_RELIC),
  ...form('new-relic-key', ['NRJS-'], '[0-9a-f]{19}', NEW_RELIC),
  ...form('new-relic-key', ['NRRA-'], '[0-9a-f]{42}', NEW_RELIC),
  ...form('new-relic-key', ['NRIQ-'], '[A-Za-z0-9_-]{32}', NEW_RELIC),
  ...form(
    'octopus-key',
    ['API-'],
    '[A-Z0-9]{26}',
    'https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key',
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
  ...form(
    'rootly-token',
    ['rootly_'],
    '[0-9a-f]{64}',
    'https://docs.rootly.com/api-reference/overview',
  ),
  ...form(
    'settlemint-token',
    ['sm_aat_', 'sm_pat_', 'sm_sat_'],
    '[A-Za-z0-9]{16}',
    'https://github.com/gitleaks/gitleaks/blob/master/cmd/generate/config/rules/settlemint.go',
  ),
  ...form(
    'tailscale-key',
    ['tskey-'],
    '(?:[a-z]{2,20}-)?[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}',
    'https://tailscale.com/kb/1085/auth-keys',
  ),
  ...form(
    'trigger-key',
    ['tr_prod_', 'tr_stg_', 'tr_dev_'],
    '[A-Za-z0-9]{20,24}',
    'https://trigger.dev/docs/apikeys',
  ),
  ...form(
    'ubidots-token',
    ['BBFF-', 'BBUS-'],
    '[A-Za-z0-9]{30}',
    'https://docs.ubidots.com/reference/authentication',
  ),
  ...form('vault-token', ['hvs.', 'hvr.'], '(?:[A-Za-z0-9_-]{90,120}|[A-Za-z0-9]{24})', VAULT),
  ...form('vault-token', ['hvb.'], '[A-Za-z0-9_-]{138,300}', VAULT),
  ...form(
    'zuplo-key',
    ['zpka_'],
    '[0-9a-f]{32}_[0-9a-f]{8}',
    'https://zuplo.com/docs/articles/api-key-leak-detection',
  ),
]
