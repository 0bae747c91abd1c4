import { describe, expect, it } from 'vitest';
import { mergeClientState } from './client-state.ts';

const merge = (base: object, inside: object, host: object, own = '/p') =>
  mergeClientState(
    { base: { ...base }, inside: { ...inside }, host: { ...host } },
    (project) => project === own,
  );

describe('the state of a client that ran in a session', () => {
  it('goes to the host where only the session changed it, and keeps what the host changed', () => {
    const { merged, left } = merge(
      { numStartups: 1, theme: 'dark', tips: { a: 1 }, gone: 1 },
      { numStartups: 2, theme: 'dark', tips: { a: 1, b: 2 } },
      { numStartups: 1, theme: 'light', tips: { a: 1, c: 3 }, gone: 1 },
    );
    expect(merged).toEqual({ numStartups: 2, theme: 'light', tips: { a: 1, b: 2, c: 3 } });
    expect(left).toEqual([]);
  });

  it('keeps servers, hooks, permissions and the trust in other projects from the host, and names them', () => {
    const { merged, left } = merge(
      { projects: { '/p': { lastCost: 1 } } },
      {
        mcpServers: { evil: { command: 'sh' } },
        apiKeyHelper: 'sh -c x',
        bypassPermissionsModeAccepted: true,
        someFutureHooks: ['x'],
        projects: {
          '/p': { lastCost: 2, allowedTools: ['Bash'], hasTrustDialogAccepted: true, mcpServers: {} },
          '/mcp/other': { lastCost: 3, hasTrustDialogAccepted: true, enabledMcpjsonServers: [] },
        },
      },
      { projects: { '/p': { lastCost: 1 } } },
    );
    expect(merged).toEqual({
      projects: { '/p': { lastCost: 2, hasTrustDialogAccepted: true }, '/mcp/other': { lastCost: 3 } },
    });
    expect(left).toEqual([
      'apiKeyHelper',
      'bypassPermissionsModeAccepted',
      'mcpServers',
      'projects./mcp/other.hasTrustDialogAccepted',
      'projects./p.allowedTools',
      'someFutureHooks',
    ]);
  });

  it('says nothing of what the host has as well, or of the removal of what it never had', () => {
    const server = { mcpServers: { own: { command: 'x' } } };
    expect(merge({}, server, server)).toEqual({ merged: server, left: [] });
    expect(merge({ ...server }, {}, server).left).toEqual(['mcpServers']);
    expect(merge({ ...server }, {}, {}).left).toEqual([]);
  });

  it('carries the answer to a dialog about a key, and caches whatever they are called', () => {
    const inside = {
      customApiKeyResponses: { approved: ['k'], rejected: [] },
      cachedGrowthBookFeatures: { tengu_mcp: true },
    };
    expect(merge({}, inside, {})).toEqual({ merged: inside, left: [] });
  });
});
