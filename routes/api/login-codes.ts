import { json, problem, RequestProblem, serveOperations } from "../../web/mod.ts";

export const handler = serveOperations({
  async createLoginCode({ state: { services } }) {
    if (!services.doors.needsLogin) {
      const detail = `Signing in is switched off ([web] auth = "none"): open ${services.publicUrl}/`;
      throw new RequestProblem(problem(409, "no-login", "No code is needed", detail));
    }
    const { code, expiresAt } = await services.doors.createCode();
    return json("createLoginCode", {
      url: `${services.publicUrl}/login?code=${code}`,
      expires_at: expiresAt.toISOString(),
    });
  },
});
