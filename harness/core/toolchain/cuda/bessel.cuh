// SPDX-License-Identifier: MIT OR Apache-2.0
// Bessel functions. Those of float are those of double.
#pragma once
#pragma clang system_header

// Where a function's Taylor series is taken, mostly a zero: x as two numbers, the function there, and its slope.
struct ladder_bessel_point {
    double x, x_low, y, slope;
};
static __attribute__((device)) const ladder_bessel_point ladder_j0_points[] = {
    {2.404825557695773, -1.176691651530894e-16, 0.0, -0.5191474972894667},
    {5.520078110286311, 8.088597146146722e-17, 0.0, 0.34026480655836816},
    {8.653727912911013, -2.92812607320779e-16, 0.0, -0.27145229992838193},
    {11.791534439014281, 2.812956912778735e-16, 0.0, 0.23245983136472478},
    {14.930917708487787, -7.070514505983074e-16, 0.0, -0.20654643307799603},
    {18.071063967910924, -9.658048089426209e-16, 0.0, 0.18772880304043943},
    {21.21163662987926, 4.947077428784068e-16, 0.0, -0.17326589422922986},
    {24.352471530749302, 9.169067133951066e-16, 0.0, 0.16170155068925002},
};
static __attribute__((device)) const ladder_bessel_point ladder_j1_points[] = {
    {3.8317059702075125, -1.5269184090088067e-16, 0.0, -0.402759395702553},
    {7.015586669815619, -9.414165653410389e-17, 0.0, 0.30011575252613254},
    {10.173468135062722, 4.482162274768888e-16, 0.0, -0.2497048770578432},
    {13.323691936314223, 2.600408064718813e-16, 0.0, 0.21835940724787295},
    {16.470630050877634, -1.619019544798128e-15, 0.0, -0.1964653714686572},
    {19.615858510468243, -1.004445634526616e-15, 0.0, 0.18006337534431555},
    {22.760084380592772, -4.925749373614922e-16, 0.0, -0.16718460047381806},
    {25.903672087618382, 4.894530726419825e-16, 0.0, 0.15672498625285222},
};
static __attribute__((device)) const ladder_bessel_point ladder_y0_points[] = {
    {0.8935769662791675, 2.6596231539720385e-17, 0.0, 0.8794208024971948},
    {1.5, 0.0, 0.38244892379775886, 0.4123086269739113},
    {2.5, 0.0, 0.4980703596152319, -0.1459181379667858},
    {3.957678419314858, -1.0764340697562706e-16, 0.0, -0.40254267177502423},
    {7.086051060301773, -8.835285723085408e-17, 0.0, 0.3000976149104752},
    {10.222345043496418, -7.967395050308809e-16, 0.0, -0.2497012375146848},
    {13.361097473872764, -6.626109493712529e-16, 0.0, 0.21835829659767134},
    {16.50092244152809, 1.0187464212445755e-15, 0.0, -0.19646493789501676},
    {19.64130970088794, -1.3738085245174177e-15, 0.0, 0.18006317633754418},
    {22.782028047291558, 1.5905927758681248e-15, 0.0, -0.16718449805101074},
};
static __attribute__((device)) const ladder_bessel_point ladder_y1_points[] = {
    {2.197141326031017, -4.8259835876454966e-17, 0.0, 0.5207864124022675},
    {3.7, 0.0, 0.41667437268380747, -0.006540379999593855},
    {5.429681040794135, 4.162514026670377e-16, 0.0, -0.3403180455234406},
    {8.596005868331169, 2.8415838340063664e-16, 0.0, 0.27145987731153354},
    {11.749154830839881, 2.9466381668409186e-17, 0.0, -0.23246176601703875},
    {14.897442128336726, -6.072148995506809e-16, 0.0, 0.2065471103565926},
    {18.043402276727857, -1.4499889213148965e-15, 0.0, -0.1877290919149097},
    {21.188068934142212, 1.0863038864317323e-15, 0.0, 0.17326603526911988},
    {24.33194257135691, 2.940063934282991e-16, 0.0, -0.1617016266586241},
};

// Taylor's series about a point that is near x, whose terms the differential equation of order 0 or 1 gives one by one.
static __attribute__((device, noinline, nodebug)) double ladder_bessel_near(
    double x, int order, const ladder_bessel_point* points, int count)
{
    int at = 0;
    for (int i = 1; i < count; i++)
        if (ladder_fabs(x - points[i].x) < ladder_fabs(x - points[at].x)) at = i;
    const ladder_bessel_point point = points[at];
    const double h = x - point.x - point.x_low, r = h / point.x;
    const double square = point.x * point.x - order;
    double terms[4] = {0, 0, point.y, point.slope * h}; // the last ones, of which the series needs four
    double sum = terms[2] + terms[3];
    for (int n = 0; n < 44; n++) {
        const double next = -(r * (n + 1) * (2 * n + 1) * terms[3] + r * r * (n * n + square) * terms[2]
                              + 2 * r * h * h * terms[1] + r * r * h * h * terms[0]) / ((n + 2) * (n + 1));
        terms[0] = terms[1], terms[1] = terms[2], terms[2] = terms[3], terms[3] = next;
        sum += next;
    }
    return sum;
}

// Far out, by Hankel's series: amplitudes that fall with x, of a cosine and a sine.
static __attribute__((device, noinline, nodebug)) double ladder_bessel_far(double x, int order, bool is_second)
{
    double even = 1, odd = 0, term = 1;
    for (int k = 1; k < 24; k++) {
        term *= (4 * order - (2 * k - 1) * (2 * k - 1)) / (8.0 * k * x);
        (k & 1 ? odd : even) += k & 2 ? -term : term;
    }
    int quadrant;
    const double rest = ladder_rest_of_angle(x, quadrant);
    // The sine and the cosine of x - pi/4, times the root of 2.
    const double sine = ladder_in_quadrant(rest, quadrant), cosine = ladder_in_quadrant(rest, quadrant + 1);
    double along = cosine + sine, across = sine - cosine;
    if (order == 1) { // a quarter turn more
        const double before = along;
        along = across, across = -before;
    }
    const double wave = is_second ? even * across + odd * along : even * along - odd * across;
    return wave * ladder_sqrt(0.31830988618379067 / x);
}

// The power series of J, with `sign` -1, or of I, with 1, without its first factor.
LADDER_FUNCTION double ladder_bessel_series(double x, int order, double sign)
{
    const double z = sign * x * x * 0.25;
    double sum = 1;
    for (int k = 60; k > 0; k--) sum = ladder_fma(sum, z / (k * (k + order)), 1.0);
    return order == 0 ? sum : sum * x * 0.5;
}
// The same of Y, with the logarithm, for small x.
LADDER_FUNCTION double ladder_y_series(double x, int order)
{
    constexpr double gamma = 0.57721566490153286;
    const double z = -0.25 * x * x;
    double term = 1, harmonic = 0, sum = order == 0 ? 0 : 0.5; // the sums of 1 / k
    for (int k = 1; k < 20; k++) {
        term *= z / (k * (k + order));
        harmonic += 1.0 / k;
        sum += term * (order == 0 ? harmonic : harmonic + 0.5 / (k + 1));
    }
    const double first = ladder_bessel_series(x, order, -1) * (ladder_log(0.5 * x) + gamma);
    return 0.63661977236758134 * (order == 0 ? first - sum : first - 0.5 * x * sum - 1 / x);
}

LADDER_FUNCTION double ladder_j0(double x)
{
    x = ladder_fabs(x);
    if (x < 1.3) return ladder_bessel_series(x, 0, -1);
    if (x < 24) return ladder_bessel_near(x, 0, ladder_j0_points, 8);
    return isinf(x) ? 0 : isnan(x) ? x : ladder_bessel_far(x, 0, false);
}
LADDER_FUNCTION double ladder_j1(double x)
{
    const double size = ladder_fabs(x);
    if (size < 2.2) return ladder_bessel_series(x, 1, -1);
    const double y = size < 24 ? ladder_bessel_near(size, 1, ladder_j1_points, 8)
                               : isinf(x) ? 0 : isnan(x) ? x : ladder_bessel_far(size, 1, false);
    return x < 0 ? -y : y;
}
LADDER_FUNCTION double ladder_y_out_of_range(double x) // not above 0, infinite, no number
{
    return x == 0 ? -ladder_infinity<double>() : x > 0 ? 0 : ladder_nan<double>();
}
LADDER_FUNCTION double ladder_y0(double x)
{
    if (!(x > 0) || isinf(x)) return ladder_y_out_of_range(x);
    if (x < 0.55) return ladder_y_series(x, 0);
    return x < 24 ? ladder_bessel_near(x, 0, ladder_y0_points, 10) : ladder_bessel_far(x, 0, true);
}
LADDER_FUNCTION double ladder_y1(double x)
{
    if (!(x > 0) || isinf(x)) return ladder_y_out_of_range(x);
    if (x < 1.4) return ladder_y_series(x, 1);
    return x < 24 ? ladder_bessel_near(x, 1, ladder_y1_points, 9) : ladder_bessel_far(x, 1, true);
}
// Of higher orders by recurrence: upwards where that is stable, else down from an order where J is nearly 0, whose result is
// scaled by the sum that all orders have.
LADDER_FUNCTION double ladder_jn(int n, double x)
{
    if (n < 0) return ladder_nan<double>();
    const double size = ladder_fabs(x);
    if (n == 0) return ladder_j0(x);
    if (n == 1) return ladder_j1(x);
    if (x == 0 || !isfinite(x)) return isnan(x) ? x : 0;
    double y;
    if (n < size) {
        double before = ladder_j0(size);
        y = ladder_j1(size);
        for (int k = 1; k < n; k++) {
            const double next = 2 * k / size * y - before;
            before = y, y = next;
        }
    } else {
        double above = 0, here = 1e-300, sum = 0;
        y = 0;
        for (int k = 2 * ((n + 16 + (int)ladder_sqrt(60.0 * n)) / 2); k > 0; k--) {
            const double below = 2 * k / size * here - above;
            above = here, here = below;
            if (k - 1 == n) y = here;
            if (k & 1) sum += k == 1 ? here : 2 * here;
            if (ladder_fabs(here) > 1e200) above *= 1e-200, here *= 1e-200, y *= 1e-200, sum *= 1e-200;
        }
        y /= sum;
    }
    return x < 0 && n & 1 ? -y : y;
}
LADDER_FUNCTION double ladder_yn(int n, double x)
{
    if (n < 0) return ladder_nan<double>();
    if (n == 0) return ladder_y0(x);
    double before = ladder_y0(x), y = ladder_y1(x);
    for (int k = 1; k < n && isfinite(y); k++) {
        const double next = 2 * k / x * y - before;
        before = y, y = next;
    }
    return y;
}
// e^x, of which half is multiplied at each side of what falls, since all of it may be too large.
LADDER_FUNCTION double ladder_i_far(double x, int order)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 24; k++) {
        term *= ((2 * k - 1) * (2 * k - 1) - 4 * order) / (8.0 * k * x);
        sum += term;
    }
    const double half = ladder_exp(0.5 * x);
    return half * (sum * 0.3989422804014327 / ladder_sqrt(x)) * half;
}
LADDER_FUNCTION double ladder_cyl_bessel_i0(double x)
{
    x = ladder_fabs(x);
    return x < 22 ? ladder_bessel_series(x, 0, 1) : x > 720 ? ladder_infinity<double>() : isnan(x) ? x : ladder_i_far(x, 0);
}
LADDER_FUNCTION double ladder_cyl_bessel_i1(double x)
{
    const double size = ladder_fabs(x);
    if (size < 22) return ladder_bessel_series(x, 1, 1);
    return ladder_copysign(size > 720 ? ladder_infinity<double>() : isnan(x) ? x : ladder_i_far(size, 1), x);
}
LADDER_BY_DOUBLE(j0)
LADDER_BY_DOUBLE(j1)
LADDER_BY_DOUBLE(y0)
LADDER_BY_DOUBLE(y1)
LADDER_BY_DOUBLE(cyl_bessel_i0)
LADDER_BY_DOUBLE(cyl_bessel_i1)
#undef LADDER_BY_DOUBLE
LADDER_FUNCTION float jnf(int n, float x) { return (float)ladder_jn(n, x); }
LADDER_FUNCTION double jn(int n, double x) { return ladder_jn(n, x); }
LADDER_FUNCTION float ynf(int n, float x) { return (float)ladder_yn(n, x); }
LADDER_FUNCTION double yn(int n, double x) { return ladder_yn(n, x); }
