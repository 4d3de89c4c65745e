/** The columns of the authorization server's tables, under the library's names of models and fields. */
const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

const ofGrant = {
  clientId: 'client_id',
  userId: 'user_id',
  referenceId: 'reference_id',
  requestedUserInfoClaims: 'requested_user_info_claims',
  createdAt: 'created_at',
} as const;

const ofToken = {
  ...ofGrant,
  sessionId: 'session_id',
  authorizationCodeId: 'authorization_code_id',
  expiresAt: 'expires_at',
} as const;

export const oauthSchema = {
  oauthClient: {
    modelName: 'oauth_clients',
    fields: {
      ...times,
      clientId: 'client_id',
      clientSecret: 'client_secret',
      clientDiscoveryId: 'client_discovery_id',
      skipConsent: 'skip_consent',
      enableEndSession: 'enable_end_session',
      subjectType: 'subject_type',
      clientCredentialsScopes: 'client_credentials_scopes',
      userId: 'user_id',
      softwareId: 'software_id',
      softwareVersion: 'software_version',
      softwareStatement: 'software_statement',
      redirectUris: 'redirect_uris',
      postLogoutRedirectUris: 'post_logout_redirect_uris',
      backchannelLogoutUri: 'backchannel_logout_uri',
      backchannelLogoutSessionRequired: 'backchannel_logout_session_required',
      tokenEndpointAuthMethod: 'token_endpoint_auth_method',
      applicationType: 'application_type',
      jwksUri: 'jwks_uri',
      grantTypes: 'grant_types',
      responseTypes: 'response_types',
      requirePKCE: 'require_pkce',
      dpopBoundAccessTokens: 'dpop_bound_access_tokens',
      referenceId: 'reference_id',
    },
  },
  oauthResource: {
    modelName: 'oauth_resources',
    fields: {
      ...times,
      accessTokenTtl: 'access_token_ttl',
      refreshTokenTtl: 'refresh_token_ttl',
      signingAlgorithm: 'signing_algorithm',
      signingKeyId: 'signing_key_id',
      allowedScopes: 'allowed_scopes',
      customClaims: 'custom_claims',
      dpopBoundAccessTokensRequired: 'dpop_bound_access_tokens_required',
      policyVersion: 'policy_version',
    },
  },
  oauthConsent: { modelName: 'oauth_consents', fields: { ...ofGrant, updatedAt: 'updated_at' } },
  oauthRefreshToken: {
    modelName: 'oauth_refresh_tokens',
    fields: {
      ...ofToken,
      rotatedAt: 'rotated_at',
      rotationReplayResponse: 'rotation_replay_response',
      rotationReplayExpiresAt: 'rotation_replay_expires_at',
      authTime: 'auth_time',
    },
  },
  oauthAccessToken: { modelName: 'oauth_access_tokens', fields: { ...ofToken, refreshId: 'refresh_id' } },
} as const;
